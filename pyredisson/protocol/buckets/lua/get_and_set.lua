-- Replaces a value with one that has a time to live.
--
-- KEYS[1] value
-- ARGV[1] new value   ARGV[2] time to live, ms
-- Returns the old value, or nil.
-- Redisson: RedissonBucket.getAndSetAsync(V, Duration)
local old = call('get', KEYS[1])
call('psetex', KEYS[1], ARGV[2], ARGV[1])
return old
