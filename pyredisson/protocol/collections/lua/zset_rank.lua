-- Sets the score of a member, or adds to the score; returns the rank of the member.
--
-- KEYS[1] sorted set
-- ARGV[1] set or add   ARGV[2] score, or how much to add   ARGV[3] member   ARGV[4] first or last
-- Returns the rank, counted from the first or last member.
-- Redisson: RedissonScoredSortedSet.addAndGetRankAsync, addScoreAndGetRankAsync
local reversed = ARGV[4] == 'last'
need(reversed and 'zrevrank' or 'zrank', KEYS[1], ARGV[3])
if ARGV[1] == 'set' then
    call('zadd', KEYS[1], ARGV[2], ARGV[3])
else
    call('zincrby', KEYS[1], ARGV[2], ARGV[3])
end
if reversed then
    return call('zrevrank', KEYS[1], ARGV[3])
end
return call('zrank', KEYS[1], ARGV[3])
