-- Replaces a value if it is the expected one.
--
-- KEYS[1] map
-- ARGV[1] key   ARGV[2] expected value   ARGV[3] new value
-- Returns 1 if it was replaced, else 0.
-- Redisson: RedissonMap.replaceOperationAsync(K, V, V)
if call('hget', KEYS[1], ARGV[1]) ~= ARGV[2] then
    return 0
end
call('hset', KEYS[1], ARGV[1], ARGV[3])
return 1
