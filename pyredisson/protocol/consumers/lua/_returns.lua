-- Requeues messages at the head of their queue, the first of them first.
local SOME, MOST_ARRIVING = 100, 1000
local function requeue(queue, returned, messages, now)
    local values = {}
    for i = #messages, 1, -1 do
        values[#values + 1] = messages[i].value
        if messages[i].id and messages[i].expires == 0 then
            remember(returned, messages[i], now, '')
        end
    end
    for i = 1, #values, AT_ONCE do
        local words = {unpack(values, i, math.min(i + AT_ONCE - 1, #values))}
        call('lpush', queue, unpack(words))
        undo('lpop', queue, #words)
    end
end
-- Returns the messages of at most `limit` leases that have ended, the earliest end first, and removes
-- these leases. A truncated record stays, for a check to find.
local function ended_messages(leases, taken, now, limit)
    local ended, messages = call('zrangebyscore', leases, '-inf', now, 'limit', 0, limit), {}
    for i = 1, #ended do
        local record = call('hget', taken, ended[i])
        if not record or #record >= HEAD then
            end_lease(leases, taken, ended[i])
        end
        if record and #record >= HEAD then
            messages[#messages + 1] = message_of(record)
            messages[#messages].expires = 0
        end
    end
    return messages, #ended
end
-- Adds the elements of the in-transit list to `messages`, and removes them from the list.
local function add_arriving(arriving, messages)
    local found = call('lrange', arriving, 0, MOST_ARRIVING - 1)
    for i = 1, #found do
        messages[#messages + 1] = {value = found[i]}
    end
    if #found > 0 then
        remove('lpop', arriving, #found)
    end
end
-- Requeues the messages of `count` tokens, which are the script's arguments. Returns for each 1 if its
-- lease had not ended, else 0. A delivery that was not started (`begun`) does not count as an attempt,
-- and its item still expires: keep(message) stores that.
local function release(queue, leases, taken, returned, count, begun, keep)
    need('lpush', queue)
    need('zrem', leases, 'pyredisson_none')
    need('hdel', taken, 'pyredisson_none')
    need('zadd', returned)
    local now, done, messages = server_ms(), {}, {}
    for i = 1, count do
        local record = held(leases, taken, ARGV[i], now)
        done[i] = record and 1 or 0
        if record then
            local message = message_of(record)
            messages[#messages + 1], message.token = message, ARGV[i]
            end_lease(leases, taken, ARGV[i])
        end
    end
    without_memory('zrem', leases, 'pyredisson_none')
    for _, message in ipairs(messages) do
        message.attempt = message.attempt - (begun and 0 or 1)
        if begun or not keep then
            message.expires = 0
        elseif message.expires ~= 0 then
            keep(message)
        end
    end
    requeue(queue, returned, messages, now)
    return done
end
