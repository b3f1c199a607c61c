-- include: delayed/typed
-- Takes a queue's items out of the queue, or takes over a migration with the same options.
-- The script renames the keys, and copies nothing. No other client sees an item until it
-- is back in the queue, or in another queue.
--
-- KEYS    the migration; options of an ended migration; the queue's keys; a new name for each of
--         them; keys that must not exist
-- ARGV[1] id of a new migration   ARGV[2] the run that may continue it   ARGV[3] its options
-- ARGV[4] number of the queue's keys   ARGV[5] 1 to repeat an ended migration, else 0
-- ARGV[6] types of the queue's keys
-- Returns {id, options, batch} of the migration, also if its options differ; the name of a key that
-- exists, but must not; 1 if a migration with these options has ended; nil if the queue has no
-- items.
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
