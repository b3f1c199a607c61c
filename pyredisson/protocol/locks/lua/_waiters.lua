-- The queue of a fair lock is a list of owners, and a sorted set with the epoch ms from which on
-- each owner counts as dead. A script reads about MANY waiters at most.
--
-- dead_waiters(queue, times, now, me)  returns the dead waiters at the head of the queue, and the
--            waiter behind them or nil. The waiter `me` never counts as dead
-- advance(times, waiters, wait, now, least)  sets the time of each waiter `wait` ms earlier, but
--            not before `least`. If `least` is nil, not before now + wait; a time that is earlier
--            already stays
-- need_to_forget(queue, times)  is called before the first write of a script with forget_waiters
-- forget_waiters(queue, times, waiters)  removes `waiters`, which are the first of the queue
local MANY = 1000
local function dead_waiters(queue, times, now, me)
    local dead = {}
    while #dead < MANY do
        local waiter = call('lindex', queue, #dead)
        if not waiter or waiter == me or tonumber(call('zscore', times, waiter) or 0) > now then
            return dead, waiter
        end
        dead[#dead + 1] = waiter
    end
    return dead, call('lindex', queue, MANY)
end
local function advance(times, waiters, wait, now, least)
    for i = 1, #waiters do
        local ends = tonumber(call('zscore', times, waiters[i]) or 0)
        local earlier = math.max(ends - wait, least or math.min(ends, now + wait))
        if ends > 0 and earlier ~= ends then
            call('zadd', times, 'xx', earlier, waiters[i])
            undo('zadd', times, 'xx', ends, waiters[i])
        end
    end
end
local function need_to_forget(queue, times)
    need('ltrim', queue, 0, -1)
    need('zrem', times, 'pyredisson_none')
end
local function forget_waiters(queue, times, waiters)
    if #waiters > 0 then
        remove('ltrim', queue, #waiters, -1)
    end
    for i = 1, #waiters do
        remove('zrem', times, waiters[i])
    end
end
