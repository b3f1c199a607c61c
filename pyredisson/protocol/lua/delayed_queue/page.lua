-- Reads a page of what is pending, the earliest first, from behind an item that was read before.
-- Where that is gone, or has another time, the page begins with the first of its time.
--
-- KEYS[1] timeout set
-- ARGV[1] packed member that was read last, or empty   ARGV[2] its score, or -inf
-- ARGV[3] how many at most
-- Returns members and scores in turn.
-- Redisson: none; RedissonDelayedQueue reads its list, which has no times
local start
if call('zscore', KEYS[1], ARGV[1]) == ARGV[2] then
    start = call('zrank', KEYS[1], ARGV[1]) + 1
else
    start = call('zcount', KEYS[1], '-inf', '(' .. ARGV[2])
end
return call('zrange', KEYS[1], start, start + ARGV[3] - 1, 'WITHSCORES')
