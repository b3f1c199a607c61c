-- include: current
-- Looks for values in a Bloom filter.
--
-- KEYS[1] configuration   KEYS[2] bits
-- ARGV size, hash iterations; then the positions of the bits of each value
-- Returns for each value 1 if all its bits are set, else 0; nil if the configuration differs.
-- Redisson: RedissonBloomFilter.containsAsync(Collection)
local size, iterations = table.remove(ARGV, 1), table.remove(ARGV, 1)
if not is_current(size, iterations) then
    return nil
end
local found = {}
for i = 1, #ARGV do
    local value = math.floor((i - 1) / iterations) + 1
    found[value] = found[value] or 1
    if call('getbit', KEYS[2], ARGV[i]) == 0 then
        found[value] = 0
    end
end
return found
