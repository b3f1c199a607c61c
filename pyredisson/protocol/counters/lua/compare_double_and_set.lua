-- include: number
-- Replaces a double if it equals the expected one; the new one has no time to live.
--
-- KEYS[1] number
-- ARGV[1] expected   ARGV[2] new number
-- Returns 1 if the number was replaced, else 0. A missing key counts as 0.
-- Redisson: RedissonAtomicDouble.compareAndSetAsync(double, double)
if tonumber(current()) == tonumber(ARGV[1]) then
    call('set', KEYS[1], ARGV[2])
    return 1
end
return 0
