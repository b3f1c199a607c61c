-- include: items
-- Adds a batch of items to a queue, and records the batch.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] target list   KEYS[4] dead
-- KEYS[5] dead letters   KEYS[6] dedup keys   KEYS[7] channel   KEYS[8] record of the migration
-- ARGV    run, batch, its size, places of items that stay; pending, ready or dead; then three words
--         for each item: entry, score, dedup key; or value, empty, empty; or id, time, letter
-- Returns the places of the items whose entry or id already exists, also earlier in the batch. If
-- there are such items, nothing is added. {} also if the batch was added before; 0 if another run
-- has taken over.
-- Redisson: none; RedissonDelayedQueue.offer adds one item
local run, batch, size, stay, kind = unpack(ARGV, 1, 5)
if call('hget', KEYS[8], 'run') ~= run then
    return 0
elseif call('hget', KEYS[8], 'batch') == batch then
    return {}
end
local items, seen, double = {}, {}, {}
for i = 6, #ARGV, 3 do
    local item = {ARGV[i], ARGV[i + 1], ARGV[i + 2]}
    items[#items + 1] = item
    if seen[item[1]] or kind == 'pending' and call('zscore', KEYS[2], item[1])
            or kind == 'dead' and call('hexists', KEYS[5], item[1]) == 1 then
        double[#double + 1] = #items
    end
    seen[item[1]] = kind ~= 'ready'
end
if #double > 0 then
    return double
end
need('hset', KEYS[8])
add_items(kind, items, KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6])
if kind == 'pending' then
    publish_head(items, KEYS[2], KEYS[7])
end
call('hset', KEYS[8], 'batch', batch, 'size', size, 'stay', stay)
return {}
