-- include: member
-- include: times
-- include: places
-- Moves due items to the target list, earliest first.
-- What is pushed is forgotten before anything else is pushed, so what is refused loses nothing and
-- doubles nothing; what cannot be read goes to the poison list instead of stopping those behind.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] poison list
-- ARGV[1] now, epoch ms   ARGV[2] how many at most: 7000
-- ARGV[3] 1: tell how many are moved
-- Returns the score of the head that is left, or nil; with poison, or where it is to tell:
-- {score or false, how many were poison, how many are moved}.
-- Redisson: RedissonDelayedQueue's QueueTransferTask.pushTaskAsync
local due
local function forget_times(members)
    -- All that is due is what stands first in the set.
    if #members == #due and #due > FEW and not denied('zremrangebyrank', KEYS[2], 'x', 'x') then
        call('zremrangebyrank', KEYS[2], 0, #due - 1)
    else
        call('zrem', KEYS[2], unpack(members))
    end
end
local function move(members, key, elements)
    if #members == 0 then
        return
    end
    local found = find(members)
    call('rpush', key, unpack(elements))
    undo(function()
        for i = #elements, 1, -1 do
            call('lrem', key, -1, elements[i])
        end
    end)
    take(found, members)
    forget_times(members)
    forget()
end
need('rpush', KEYS[1])
need('lrem', KEYS[3], 'none', '')
need('zrem', KEYS[2], 'pyredisson_none')
need('zrange', KEYS[2], 0, 0)
due = call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', 0, ARGV[2])
local good, values, bad, count = {}, {}, {}, 0
for i = 1, #due do
    local value = value_of(due[i])
    if value then
        count = count + 1
        good[count], values[count] = due[i], value
    else
        bad[#bad + 1] = due[i]
    end
end
move(good, KEYS[1], values)
move(bad, KEYS[4], bad)
local head = call('zrange', KEYS[2], 0, 0, 'WITHSCORES')
if #bad > 0 or ARGV[3] == '1' then
    return {head[2] or false, #bad, count}
end
return head[2] or nil
