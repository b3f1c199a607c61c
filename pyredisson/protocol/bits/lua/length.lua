-- Finds the last bit that is set: halves the bytes that may have it.
--
-- KEYS[1] bits
-- Returns its index and 1 more; 0 if no bit is set.
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
