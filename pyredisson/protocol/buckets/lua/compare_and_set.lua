-- Replaces a value if it is the expected one; the new value has no time to live.
--
-- KEYS[1] value
-- ARGV[1] expected   ARGV[2] new value
-- Returns 1 if the value was replaced, else 0.
-- Redisson: RedissonBucket.compareAndSetAsync(V, V)
if call('get', KEYS[1]) == ARGV[1] then
    call('set', KEYS[1], ARGV[2])
    return 1
end
return 0
