-- Removes a key if its value is the expected one.
--
-- KEYS[1] map
-- ARGV[1] key   ARGV[2] expected value
-- Returns 1 if it was removed, else 0.
-- Redisson: RedissonMap.removeOperationAsync(Object, Object)
if call('hget', KEYS[1], ARGV[1]) ~= ARGV[2] then
    return 0
end
return call('hdel', KEYS[1], ARGV[1])
