-- Sets a value.
--
-- KEYS[1] map
-- ARGV[1] key   ARGV[2] value
-- Returns the previous value, or nil.
-- Redisson: RedissonMap.putOperationAsync(K, V)
local old = call('hget', KEYS[1], ARGV[1])
call('hset', KEYS[1], ARGV[1], ARGV[2])
return old
