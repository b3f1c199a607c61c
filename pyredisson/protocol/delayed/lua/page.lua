-- include: behind
-- Reads a page of what is pending, the earliest first, from behind an item that was read before.
-- Where that is gone, or has another time, the page begins with the first of its time.
--
-- KEYS[1] timeout set
-- ARGV[1] packed member that was read last, or empty   ARGV[2] its score, or -inf
-- ARGV[3] how many at most
-- Returns members and scores in turn.
-- Redisson: none; RedissonDelayedQueue reads its list, which has no times
return page_behind(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
