-- Replaces a value where it is the expected one; its time to live ends with it.
--
-- KEYS[1] value
-- ARGV[1] expected   ARGV[2] new value
-- Returns 1 or 0.
-- Redisson: RedissonBucket.compareAndSetAsync(V, V)
if call('get', KEYS[1]) == ARGV[1] then
    call('set', KEYS[1], ARGV[2])
    return 1
end
return 0
