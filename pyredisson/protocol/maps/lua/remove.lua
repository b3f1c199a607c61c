-- Removes a key.
--
-- KEYS[1] map
-- ARGV[1] key
-- Returns its value, or nil.
-- Redisson: RedissonMap.removeOperationAsync(K)
local old = call('hget', KEYS[1], ARGV[1])
call('hdel', KEYS[1], ARGV[1])
return old
