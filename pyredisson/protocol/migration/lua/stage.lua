-- include: delayed/typed
-- Takes a queue's items out of the queue, to keys of the migration, or takes over one with the same options.
-- The keys are renamed, so it is fast and nothing is copied. The items are not visible until each is
-- back in the queue, or in another queue.
--
-- KEYS    the migration; options of one that has ended; the keys with items; as many new names; keys
--         that must not exist
-- ARGV[1] id of a new migration   ARGV[2] the run that may continue it   ARGV[3] its options
-- ARGV[4] how many keys have items   ARGV[5] 1 to do it again although one with these options has ended
-- ARGV[6] their types
-- Returns {id, options, batch} of the migration; the first of the keys that must not exist and does; 1 if
-- it has ended; nil if the queue has no items.
-- Redisson: none; RedissonObject.rename renames the target list only
local count, there, kinds = tonumber(ARGV[4]), {}, {}
for kind in string.gmatch(ARGV[6], '%a+') do
    kinds[#kinds + 1] = kind
end
local state, ended = unpack(KEYS, 1, 2)
local known = call('hmget', state, 'id', 'options', 'batch')
if known[1] then
    if known[2] == ARGV[3] then
        call('hset', state, 'run', ARGV[2])
    end
    return known
end
if ARGV[5] ~= '1' and call('get', ended) == ARGV[3] then
    return 1
end
for i = count + 3, #KEYS do
    if call('exists', KEYS[i]) == 1 then
        return KEYS[i]
    end
end
for i = 3, count + 2 do
    if call('exists', KEYS[i]) == 1 then
        there[#there + 1] = i
        typed(kinds[i - 2], 'rename', KEYS[i])
        need('rename', KEYS[i], KEYS[i])
    end
end
if #there == 0 then
    return nil
end
call('hset', state, 'id', ARGV[1], 'run', ARGV[2], 'options', ARGV[3], 'batch', 0)
undo('del', state)
for _, i in ipairs(there) do
    call('rename', KEYS[i], KEYS[i + count])
    undo('rename', KEYS[i + count], KEYS[i])
end
return {ARGV[1], ARGV[3], '0'}
