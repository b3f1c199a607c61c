-- Finds the last set bit, with a binary search over the bytes.
--
-- KEYS[1] bits
-- Returns the index of this bit plus 1; 0 if no bit is set.
-- Redisson: RedissonBitSet.lengthAsync()
local low, high = 0, call('strlen', KEYS[1]) - 1
if call('bitcount', KEYS[1]) == 0 then
    return 0
end
while low < high do
    local middle = math.ceil((low + high) / 2)
    if call('bitcount', KEYS[1], middle, high) > 0 then
        low = middle
    else
        high = middle - 1
    end
end
local bit = 8 * low + 7
while call('getbit', KEYS[1], bit) == 0 do
    bit = bit - 1
end
return bit + 1
