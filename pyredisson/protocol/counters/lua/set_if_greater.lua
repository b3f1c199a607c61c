-- include: number
-- Replaces a number if it is greater than a bound; the new one has no time to live.
--
-- KEYS[1] number
-- ARGV[1] bound   ARGV[2] new number
-- Returns 1 if the number was replaced, else 0. A missing key counts as 0.
-- Redisson: RedissonAtomicLong.setIfGreaterAsync(long, long), RedissonAtomicDouble's
if less(ARGV[1], current()) then
    call('set', KEYS[1], ARGV[2])
    return 1
end
return 0
