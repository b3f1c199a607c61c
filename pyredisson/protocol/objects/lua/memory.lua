-- Sums the memory usage of the keys of an object.
--
-- KEYS    the keys
-- Returns the sum in bytes.
-- Redisson: RedissonObject.sizeInMemoryAsync over several keys
local total = 0
for i = 1, #KEYS do
    total = total + (call('memory', 'usage', KEYS[i]) or 0)
end
return total
