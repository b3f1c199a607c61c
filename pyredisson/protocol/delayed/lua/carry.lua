-- Stores bytes beside items that are about to be offered, each until its own time.
--
-- KEYS    one key an item
-- ARGV    the bytes, then for each key the milliseconds until it expires
-- Returns nothing.
-- Redisson: none; RedissonDelayedQueue.offerAsync stores the item alone
local carried = table.remove(ARGV, 1)
for i = 1, math.min(#KEYS, #ARGV) do
    call('set', KEYS[i], carried, 'PX', ARGV[i])
end
