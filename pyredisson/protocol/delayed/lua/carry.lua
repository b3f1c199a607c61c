-- Stores the same bytes under a key for each of several items, before the items are offered.
--
-- KEYS    for each item one key
-- ARGV    the bytes, then for each key the milliseconds until it expires
-- Returns nothing.
-- Redisson: none; RedissonDelayedQueue.offerAsync stores the item alone
local carried = table.remove(ARGV, 1)
for i = 1, math.min(#KEYS, #ARGV) do
    call('set', KEYS[i], carried, 'PX', ARGV[i])
end
