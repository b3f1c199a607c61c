-- include: kernel/steps
-- include: entry
-- include: times
-- include: places
-- include: due
-- Moves due items to the target list, earliest first.
-- If the removal of items is rejected, the script undoes their push, so that no item is delivered
-- twice. Entries in neither format are moved to the poison list, so that they do not block later
-- items. If this push is rejected, these entries stay pending. The script moves the other items and
-- raises the error.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] poison list
-- Optional KEYS[5] due times, if consumers read when messages were due
-- ARGV[1] now, epoch ms   ARGV[2] how many items at most (up to 7000); the script moves fewer items
--         if they are large, or if each takes long to find
-- ARGV[3] 1 to return how many items are moved
-- Returns the score of the new head, or nil. If an entry was poison, or if the number is requested,
-- returns {score or false, how many entries were poison, how many items are moved}.
-- Redisson: RedissonDelayedQueue's QueueTransferTask.pushTaskAsync
need('rpush', KEYS[1])
need('lrem', KEYS[3], 'none', '')
need('zrem', KEYS[2], 'pyredisson_none')
without_memory('zrem', KEYS[2], 'pyredisson_none')
local enough
local due = within(tonumber(ARGV[2]), function(first, last, before)
    enough = enough or first >= FEW and enough_of(before)
    if enough and first >= enough then
        return {}
    end
    return call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', first, last - first + 1)
end)
local found
found, due = find(due)
local head = call('zrange', KEYS[2], #due, #due, 'WITHSCORES')[2]
local values, bad, count = {}, {}, 0
for i = 1, #due do
    local value = value_of(due[i])
    if value then
        count = count + 1
        values[count] = value
    else
        bad[#bad + 1] = due[i]
    end
end
local function undo_push(key, elements)
    undo(function()
        for i = #elements, 1, -1 do
            call('lrem', key, -1, elements[i])
        end
    end)
end
local moved, why = due, nil
local noted = KEYS[5] and due_times(#due)
if count > 0 then
    call('rpush', KEYS[1], unpack(values))
    undo_push(KEYS[1], values)
end
if #bad > 0 then
    if count == 0 then
        call('rpush', KEYS[4], unpack(bad))
    else
        why = failed(redis.pcall('rpush', KEYS[4], unpack(bad)))
    end
    if why then
        moved = {}
        for i = 1, #due do
            moved[#moved + 1] = value_of(due[i]) and due[i]
        end
        found = find(moved, true)
    else
        undo_push(KEYS[4], bad)
    end
end
if #due > 0 then
    take(found, moved)
    -- The due entries are the first entries of the set.
    if moved == due and #due > FEW and not denied('zremrangebyrank', KEYS[2], 'x', 'x') then
        call('zremrangebyrank', KEYS[2], 0, #due - 1)
    else
        call('zrem', KEYS[2], unpack(moved))
    end
end
if why then
    forget()
    abort(why, 'rpush', KEYS[4])
end
if noted then
    note(KEYS[5], noted)
end
if #bad > 0 or ARGV[3] == '1' then
    return {head or false, #bad, count}
end
return head or nil
