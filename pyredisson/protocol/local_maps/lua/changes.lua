-- include: kernel/clock
-- Reads the log of changes since a moment.
--
-- KEYS[1] map   KEYS[2] log of changes
-- ARGV[1] moment, epoch ms   ARGV[2] the maximum number of members
-- Returns the server's time in epoch ms, 1 if the map exists (else 0), and members of the log.
-- Redisson: RedissonLocalCachedMap, after a reconnection with ReconnectionStrategy.LOAD
local members = call('zrangebyscore', KEYS[2], ARGV[1], '+inf', 'limit', 0, ARGV[2])
return {server_ms(), call('exists', KEYS[1]), members}
