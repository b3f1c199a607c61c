-- Stores the configuration of a Bloom filter, unless one is stored.
--
-- KEYS[1] configuration
-- ARGV[1] size   ARGV[2] hash iterations   ARGV[3] expected insertions   ARGV[4] false probability
-- Returns nil if the script stored it, else the fields and values of the existing configuration.
-- Redisson: RedissonBloomFilter.tryInitAsync(long, double)
if call('exists', KEYS[1]) == 1 then
    return call('hgetall', KEYS[1])
end
call('hset', KEYS[1], 'size', ARGV[1])
undo('del', KEYS[1])
call('hset', KEYS[1], 'hashIterations', ARGV[2])
call('hset', KEYS[1], 'expectedInsertions', ARGV[3])
call('hset', KEYS[1], 'falseProbability', ARGV[4])
return nil
