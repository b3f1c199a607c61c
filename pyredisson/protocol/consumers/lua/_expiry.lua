-- Items that expire unless a consumer takes them. `expiring` has their entries by the time of their
-- next check. `expiries` has a value record (_records.lua) of each item. If a message is requeued
-- before a program received it, its new entry in `expiring` is never pending.
local NEAR, FIRST, FIRST_BYTES = 1000, 100, 65536
-- Makes an expired message a dead letter. If `expires` is negative, drops the message instead. Adds
-- 'dead' or 'dropped', and the message's record, to `gone`.
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
-- Returns the time of the next check of items that are far from the head. The more batches must be
-- checked now, the later this time is. So a long backlog needs only a few scripts a second.
local function next_turn(expiring, now, limit)
    local batches = math.ceil(call('zcount', expiring, '-inf', now) / limit)
    return (math.floor(now / 1000) + 1 + math.min(batches * batches, 30 + batches)) * 1000
end
-- Removes expired items among the first elements of the queue. Their next check can be much later,
-- because they were far from the head at the last check. The script removes elements only at its
-- end. So `places` has for each value how many elements will be removed, and `checked` has the
-- entries that this script has checked before.
local function expire_first(
    queue, timeouts, expiring, expiries, dead, letters, now, limit, gone, places, checked
)
    local place, bytes, passed = 0, 0, {}
    while place < FIRST and bytes < FIRST_BYTES and #gone < 2 * limit do
        local value = call('lindex', queue, place)
        if not value then
            break
        end
        place, bytes, passed[value] = place + 1, bytes + #value, (passed[value] or 0) + 1
        local record = passed[value] > (places[value] or 0) and find(expiries, value, function(record)
            local entry, expired = record.prefix .. value, math.abs(record.expires) <= now
            return expired and not checked[entry] and not call('zscore', timeouts, entry) or 1
        end)
        if record then
            local entry = record.prefix .. value
            checked[entry] = true
            forget_value_record(expiries, expiring, entry, record.when)
            record.value = value
            bury(dead, letters, record, now, gone)
            remove('lrem', queue, 1, value)
        end
    end
end
-- Removes expired items from the queue, at most `limit`. If an item is no longer in the queue,
-- another client has taken it, and the item's record is deleted. An item is checked again later if
-- it is pending, or if it is possible that it is far from the head or in the in-transit list.
-- Returns the time of the next check, or nil if no item expires.
local function expire(queue, arriving, timeouts, expiring, expiries, dead, letters, now, limit, gone)
    local found = within(limit, function(first, last)
        return call('zrangebyscore', expiring, '-inf', now, 'limit', first, last - first + 1)
    end)
    local expires = call('zrange', expiring, #found, #found, 'WITHSCORES')[2]
    local size, places, checked = #found > 0 and call('llen', queue), {}, {}
    local turn, far = size and next_turn(expiring, now, limit), false
    if size then
        need('lrem', queue, 'none', '')
        need('zadd', expiring)
        need('zrem', expiring, 'pyredisson_none')
        need('zadd', expiries)
        need('zrem', expiries, 'pyredisson_none')
    end
    for _, entry in ipairs(found) do
        local when, _, value = call('zscore', expiring, entry), halves(entry)
        checked[entry] = true
        local due, rank = call('zscore', timeouts, entry), (places[value] or 0) + 1
        local place = not due and call('lpos', queue, value, 'rank', rank, 'maxlen', NEAR)
        if due or not place and (size > NEAR or call('exists', arriving) == 1) then
            local later = due and math.max(due, now + 1000) or turn
            far = far or not due
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
    if far then
        expire_first(
            queue, timeouts, expiring, expiries, dead, letters, now, limit, gone, places, checked
        )
    end
    return expires
end
-- Called if the queue is empty. Deletes at most `limit` records of items that other clients took.
local function forget_taken(timeouts, expiring, expiries, limit)
    local found = within(limit, function(first, last)
        return call('zrange', expiring, first, last)
    end)
    for _, entry in ipairs(found) do
        if not call('zscore', timeouts, entry) then
            forget_value_record(expiries, expiring, entry, call('zscore', expiring, entry))
        end
    end
end
