-- Sets the value of a key that exists.
--
-- KEYS[1] map
-- ARGV[1] key   ARGV[2] value
-- Returns 1, or 0 without the key.
-- Redisson: RedissonMap.fastPutIfExistsOperationAsync(K, V), and fastReplaceOperationAsync(K, V)
if call('hexists', KEYS[1], ARGV[1]) == 0 then
    return 0
end
call('hset', KEYS[1], ARGV[1], ARGV[2])
return 1
