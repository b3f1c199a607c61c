-- Sets the value of a key that does not exist.
--
-- KEYS[1] map
-- ARGV[1] key   ARGV[2] value
-- Returns nil, or the value of the key if it exists.
-- Redisson: RedissonMap.putIfAbsentOperationAsync(K, V)
if call('hsetnx', KEYS[1], ARGV[1], ARGV[2]) == 1 then
    return nil
end
return call('hget', KEYS[1], ARGV[1])
