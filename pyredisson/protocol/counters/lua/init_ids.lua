-- Sets the first id of a generator and the size of its blocks, each only if it is not set.
--
-- KEYS[1] start of the next block   KEYS[2] size of blocks
-- ARGV[1] first id   ARGV[2] size
-- Returns 1 if the size was set, else 0.
-- Redisson: RedissonIdGenerator.tryInitAsync(long, long)
if call('setnx', KEYS[1], ARGV[1]) == 1 then
    undo('del', KEYS[1])
end
return call('setnx', KEYS[2], ARGV[2])
