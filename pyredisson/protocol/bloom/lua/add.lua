-- include: current
-- Adds values to a Bloom filter. A missing bits key gets the time to live of the configuration.
--
-- KEYS[1] configuration   KEYS[2] bits
-- ARGV size, hash iterations; then the positions of the bits of each value
-- Returns for each value 1 if one of its bits is new, else 0; nil if the configuration differs.
-- Redisson: RedissonBloomFilter.addAsync(Collection)
local size, iterations = table.remove(ARGV, 1), table.remove(ARGV, 1)
if not is_current(size, iterations) then
    return nil
end
local left = call('exists', KEYS[2]) == 0 and call('pttl', KEYS[1]) or -1
local added = {}
for i = 1, #ARGV do
    local value = math.floor((i - 1) / iterations) + 1
    added[value] = added[value] or 0
    if call('setbit', KEYS[2], ARGV[i], 1) == 0 then
        undo('setbit', KEYS[2], ARGV[i], 0)
        added[value] = 1
    end
end
if left >= 0 then
    call('pexpire', KEYS[2], math.max(left, 1))
end
return added
