-- Deletes a value where it is the expected one.
--
-- KEYS[1] value
-- ARGV[1] expected
-- Returns 1 or 0.
-- Redisson: RedissonBucket.compareAndSetAsync(V, null)
if call('get', KEYS[1]) == ARGV[1] then
    call('del', KEYS[1])
    return 1
end
return 0
