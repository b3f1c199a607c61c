-- include: kernel/clock
-- Renews a subscriber's time to live, if the subscriber exists.
--
-- KEYS[1] when each subscriber expires
-- ARGV[1] subscriber   ARGV[2] time to live, ms
-- Returns 1, or 0 if the subscriber does not exist.
-- Redisson: RedissonReliableTopic.renewExpiration()
if not call('zscore', KEYS[1], ARGV[1]) then
    return 0
end
without_memory('zrem', KEYS[1], 'pyredisson_none')
call('zadd', KEYS[1], server_ms() + ARGV[2], ARGV[1])
return 1
