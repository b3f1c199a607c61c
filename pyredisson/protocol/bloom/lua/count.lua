-- Counts the set bits of a Bloom filter.
--
-- KEYS[1] configuration   KEYS[2] bits
-- Returns the fields and values of the configuration, and the number of bits that are set.
-- Redisson: RedissonBloomFilter.countAsync()
return {call('hgetall', KEYS[1]), call('bitcount', KEYS[2])}
