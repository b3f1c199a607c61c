-- Items that expire when nobody takes them. `expiring` has their pending members, by when they are
-- looked at next; `expiries` an entry of each under its value, whose `due` is when it expires, and
-- whose `attempt` is 1 where it is dropped then.
local NEAR = 1000
local function unrecord(expiring, member)
    local score = call('zscore', expiring, member)
    if score then
        call('zrem', expiring, member)
        undo('zadd', expiring, score, member)
    end
end
-- What becomes of a value that has expired.
local function bury(dead, letters, value, entry, now)
    if entry.attempt == 0 then
        local why = '{"reason": "expired"}'
        call('zadd', dead, now, entry.id)
        undo('zrem', dead, entry.id)
        call('hset', letters, entry.id, struct.pack('>I4', #why) .. why .. record_of({
            id = entry.id, attempt = 0, first = now, taken = now, due = 0, value = value
        }))
        undo('hdel', letters, entry.id)
    end
end
-- Removes what has expired from the head of the queue, at most `limit` items. What is not there any
-- more somebody has taken; what is pending or far behind is looked at again later.
local function expire(queue, timeouts, expiring, expiries, dead, letters, now, limit)
    local members = call('zrangebyscore', expiring, '-inf', now, 'limit', 0, limit)
    if #members > 0 then
        need('lrem', queue, 'none', '')
        need('zadd', expiring)
        need('hset', expiries)
    end
    for _, member in ipairs(members) do
        local prefix, value = halves(member)
        local due = call('zscore', timeouts, member)
        local place = not due and call('lpos', queue, value, 'maxlen', NEAR)
        if due or not place and call('llen', queue) > NEAR then
            call('zadd', expiring, math.max(due or 0, now + 1000), member)
        else
            unrecord(expiring, member)
            local entry = recall(expiries, value, function(before) return before == prefix end)
            if entry and place then
                bury(dead, letters, value, entry, now)
                call('lrem', queue, 1, value)
            end
        end
        forget()
    end
end
-- Forgets items that others took from the queue, which is empty now, at most `limit`.
local function forget_taken(timeouts, expiring, expiries, limit)
    for _, member in ipairs(call('zrange', expiring, 0, limit - 1)) do
        if not call('zscore', timeouts, member) then
            local prefix, value = halves(member)
            unrecord(expiring, member)
            recall(expiries, value, function(before) return before == prefix end)
        end
    end
end
