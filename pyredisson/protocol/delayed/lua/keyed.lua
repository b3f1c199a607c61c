-- Finds the pending item with a dedup key.
--
-- KEYS[1] dedup keys   KEYS[2] timeout set
-- ARGV[1] dedup key
-- Returns {entry, score}, or nil.
-- Redisson: none; RedissonDelayedQueue has no dedup keys
local entry = call('hget', KEYS[1], ARGV[1])
local score = entry and call('zscore', KEYS[2], entry)
return score and {entry, score} or nil
