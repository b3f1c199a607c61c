-- include: locks/notify
-- Answers the client that has dropped all copies: it waits for a permit of each.
--
-- KEYS[1] semaphore   KEYS[2] its channel
-- ARGV[1] command that publishes   ARGV[2] another one, or ''
-- Returns the permits.
-- Redisson: RedissonLocalCachedMap, where another client has called clearLocalCache()
local ttl = call('pttl', KEYS[1])
local permits = call('incrby', KEYS[1], 1)
if ttl == -2 then
    undo('del', KEYS[1])
else
    undo('decrby', KEYS[1], 1)
end
if ttl < 0 then
    call('pexpire', KEYS[1], 60000)
end
notify(KEYS[2], permits, ARGV[1], ARGV[2])
return permits
