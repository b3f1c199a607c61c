-- Deletes a value if it is the expected one, or if it is not the unexpected one.
--
-- KEYS[1] value
-- ARGV[1] value to compare with   ARGV[2] expected or unexpected
-- Returns 1 if the value was deleted, else 0.
-- Redisson: RedissonBucket.compareAndSetAsync(V, null), compareAndDeleteAsync(CompareAndDeleteArgs)
local value = call('get', KEYS[1])
if value and (value == ARGV[1]) == (ARGV[2] == 'expected') then
    call('del', KEYS[1])
    return 1
end
return 0
