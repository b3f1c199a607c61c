-- Removes the members from one rank to another, both included, and returns them.
--
-- KEYS[1] sorted set
-- ARGV[1] first rank   ARGV[2] last rank
-- Returns each member with its score.
-- Redisson: RedissonScoredSortedSet.pollFirstEntriesAsync(int), pollLastEntriesAsync(int)
local found = call('zrange', KEYS[1], ARGV[1], ARGV[2], 'withscores')
if #found > 0 then
    call('zremrangebyrank', KEYS[1], ARGV[1], ARGV[2])
end
return found
