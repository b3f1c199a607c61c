-- include: behind
-- Reads a page of pending items, the earliest first, that starts after the item that was read last.
-- If that item is gone or has another time now, the page starts with the first item of its old time.
--
-- KEYS[1] timeout set
-- ARGV[1] the packed entry that was read last, or empty   ARGV[2] its score, or -inf
-- ARGV[3] how many at most
-- Returns entries and scores in turn.
-- Redisson: none; RedissonDelayedQueue reads its list, which has no times
return page_behind(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
