-- Items that expire when nobody takes them. `expiring` has their pending members, by when they are
-- looked at next; `expiries` an entry of each. An item that was given back before anybody had it has
-- a member here that is not pending.
local NEAR = 1000
-- Makes an expired message a dead letter, unless it is dropped; adds to `gone` which, and its record.
local function bury(dead, letters, message, now, gone)
    message.taken = now
    gone[#gone + 1] = message.expires > 0 and 'dead' or 'dropped'
    gone[#gone + 1] = record_of(message)
    if message.expires > 0 then
        local why = '{"reason": "expired"}'
        add(dead, now, message.id)
        call('hset', letters, message.id, struct.pack('>I4', #why) .. why .. record_of({
            id = message.id, attempt = message.attempt, value = message.value, taken = now,
            first = message.first > 0 and message.first or now, due = message.due, expires = 0
        }))
        undo('hdel', letters, message.id)
    end
end
-- Removes what has expired from the head of the queue, at most `limit` items. What is not there any
-- more somebody has taken; what is pending, far behind, or perhaps arriving is looked at again later.
-- Returns when the next item is looked at, or nil.
local function expire(queue, arriving, timeouts, expiring, expiries, dead, letters, now, limit, gone)
    local found = call('zrangebyscore', expiring, '-inf', now, 'withscores', 'limit', 0, limit)
    local expires = call('zrange', expiring, #found / 2, #found / 2, 'WITHSCORES')[2]
    local size, places = #found > 0 and call('llen', queue), {}
    if size then
        need('lrem', queue, 'none', '')
        need('zadd', expiring)
        need('zrem', expiring, 'pyredisson_none')
        need('zadd', expiries)
        need('zrem', expiries, 'pyredisson_none')
    end
    for i = 1, #found, 2 do
        local member, when = found[i], found[i + 1]
        local _, value = halves(member)
        local due, rank = call('zscore', timeouts, member), (places[value] or 0) + 1
        local place = not due and call('lpos', queue, value, 'rank', rank, 'maxlen', NEAR)
        if due or not place and (size > NEAR or call('exists', arriving) == 1) then
            local later = math.max(due or 0, now + 1000)
            put_off(expiries, expiring, member, when, later)
            expires = math.min(expires or later, later)
        else
            local entry = forget_entry(expiries, expiring, member, when)
            if entry and place then
                places[value], entry.value = rank, value
                bury(dead, letters, entry, now, gone)
                remove('lrem', queue, 1, value)
            end
        end
    end
    return expires
end
-- Forgets items that others took from the queue, which is empty now, at most `limit`.
local function forget_taken(timeouts, expiring, expiries, limit)
    local found = call('zrange', expiring, 0, limit - 1, 'withscores')
    for i = 1, #found, 2 do
        if not call('zscore', timeouts, found[i]) then
            forget_entry(expiries, expiring, found[i], found[i + 1])
        end
    end
end
