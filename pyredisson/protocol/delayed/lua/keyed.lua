-- Finds the item that is pending with a key.
--
-- KEYS[1] keys   KEYS[2] timeout set
-- ARGV[1] key
-- Returns {member, score}, or nil.
-- Redisson: none; RedissonDelayedQueue knows no keys
local member = call('hget', KEYS[1], ARGV[1])
local score = member and call('zscore', KEYS[2], member)
return score and {member, score} or nil
