-- Finds a pending item by its due time and the bytes before its value (its id and a length).
-- This is a binary search, because entries with equal scores are in the order of their bytes.
--
-- KEYS[1] timeout set
-- ARGV[1] due, epoch ms   ARGV[2] the bytes before the value
-- Returns the packed entries that begin with these bytes, two at most.
-- Redisson: none; RedissonDelayedQueue.contains searches for a value
local head = ARGV[2]
local function is_before(entry)
    for i = 1, #head do
        local is, wanted = string.byte(entry, i) or -1, string.byte(head, i)
        if is ~= wanted then
            return is < wanted
        end
    end
    return false
end
local low = call('zcount', KEYS[1], '-inf', '(' .. ARGV[1])
local stop = low + call('zcount', KEYS[1], ARGV[1], ARGV[1])
local high = stop
while low < high do
    local middle = math.floor((low + high) / 2)
    if is_before(call('zrange', KEYS[1], middle, middle)[1]) then
        low = middle + 1
    else
        high = middle
    end
end
local found = {}
for place = low, math.min(low + 2, stop) - 1 do
    local entry = call('zrange', KEYS[1], place, place)[1]
    if string.sub(entry, 1, #head) == head then
        found[#found + 1] = entry
    end
end
return found
