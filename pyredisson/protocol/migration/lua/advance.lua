-- include: window
-- include: items
-- Removes a batch from the migration, after it was added to the queue that gets it.
-- The items that stay go back to the queue that they came from.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] target list   KEYS[4] dead
-- KEYS[5] dead letters, all of the migration
-- KEYS[6] delay list   KEYS[7] timeout set   KEYS[8] target list   KEYS[9] dead
-- KEYS[10] dead letters, all of the queue
-- KEYS[11] dedup keys   KEYS[12] channel   KEYS[13] the migration
-- ARGV    run, batch; pending, ready or dead; size; then for each item that stays its place and
--         dedup key
-- Returns 1; 0 if another run has taken over, or the batch was removed before.
-- Redisson: none; RedissonDelayedQueue cannot be moved
local run, batch, kind, size = unpack(ARGV, 1, 4)
local known = call('hmget', KEYS[13], 'run', 'batch')
if known[1] ~= run or known[2] ~= batch then
    return 0
end
local list = kind == 'ready' and KEYS[3] or KEYS[1]
if kind == 'dead' then
    need('zrem', KEYS[4], 'pyredisson_none')
    need('hdel', KEYS[5], 'pyredisson_none')
else
    need('ltrim', list, 0, -1)
    need('zrem', KEYS[2], 'pyredisson_none')
end
local items, back = window(kind, 0, tonumber(size)), {}
for i = 5, #ARGV, 2 do
    local item = items[tonumber(ARGV[i])]
    if kind == 'pending' then
        item[3] = ARGV[i + 1]
    end
    if not (kind == 'pending' and item[2] and call('zscore', KEYS[7], item[1])) then
        back[#back + 1] = item
    end
end
add_items(kind, back, KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11])
if kind == 'pending' then
    publish_head(back, KEYS[7], KEYS[12])
end
call('hset', KEYS[13], 'batch', batch + 1)
undo('hset', KEYS[13], 'batch', batch)
for i = 1, #items do
    if kind == 'dead' then
        remove('zrem', KEYS[4], items[i][1])
        remove('hdel', KEYS[5], items[i][1])
    elseif items[i][2] then
        remove('zrem', KEYS[2], items[i][1])
    end
end
if kind ~= 'dead' then
    remove('ltrim', list, size, -1)
end
return 1
