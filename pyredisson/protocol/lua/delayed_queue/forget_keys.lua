-- include: dedup
-- Forgets keys of deduplication whose items are gone.
--
-- KEYS[1] keys   KEYS[2] timeout set
-- ARGV[1] how many it looks at, at most
-- Returns nil.
-- Redisson: none; RedissonDelayedQueue knows no keys
forget_keys(KEYS[1], KEYS[2], ARGV[1])
return nil
