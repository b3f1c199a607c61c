-- Items that expire unless a consumer takes them. `expiring` has their pending entries by the time of
-- their next check, `expiries` has a record of each. An item that was released before a program
-- received it has an entry here that is not pending.
local NEAR = 1000
-- Makes an expired message a dead letter, unless it is to be dropped. Adds 'dead' or 'dropped', and the
-- message's record, to `gone`.
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
-- Removes expired items from the queue, at most `limit`. If an item is no longer in the queue, another
-- client has taken it. An item is checked again later if it is pending, far from the head, or perhaps
-- in the in-transit list. Returns the time of the next check, or nil.
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
        local entry, when = found[i], found[i + 1]
        local _, value = halves(entry)
        local due, rank = call('zscore', timeouts, entry), (places[value] or 0) + 1
        local place = not due and call('lpos', queue, value, 'rank', rank, 'maxlen', NEAR)
        if due or not place and (size > NEAR or call('exists', arriving) == 1) then
            local later = math.max(due or 0, now + 1000)
            put_off(expiries, expiring, entry, when, later)
            expires = math.min(expires or later, later)
        else
            local record = forget_value_record(expiries, expiring, entry, when)
            if record and place then
                places[value], record.value = rank, value
                bury(dead, letters, record, now, gone)
                remove('lrem', queue, 1, value)
            end
        end
    end
    return expires
end
-- The queue is empty: deletes the records of items that other clients took from it, at most `limit`.
local function forget_taken(timeouts, expiring, expiries, limit)
    local found = call('zrange', expiring, 0, limit - 1, 'withscores')
    for i = 1, #found, 2 do
        if not call('zscore', timeouts, found[i]) then
            forget_value_record(expiries, expiring, found[i], found[i + 1])
        end
    end
end
