-- Replaces a member by another one, which gets the score of the first.
--
-- KEYS[1] sorted set
-- ARGV[1] member   ARGV[2] other member
-- Returns 1 if the member was in the set, else 0.
-- Redisson: RedissonScoredSortedSet.replaceAsync(Object, Object)
local score = call('zscore', KEYS[1], ARGV[1])
if not score then
    return 0
elseif ARGV[1] == ARGV[2] then
    return 1
end
need('zrem', KEYS[1])
call('zadd', KEYS[1], score, ARGV[2])
call('zrem', KEYS[1], ARGV[1])
return 1
