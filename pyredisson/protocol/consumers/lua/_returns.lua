-- Requeues messages at the head of their queue, in their order.
local MOST_ARRIVING = 1000
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
-- Adds the elements of the in-transit list to `messages`, and removes them from the list.
local function add_arriving(arriving, messages)
    local found = within(MOST_ARRIVING, function(first, last)
        return call('lrange', arriving, first, last)
    end)
    for i = 1, #found do
        messages[#messages + 1] = {value = found[i]}
    end
    if #found > 0 then
        remove('lpop', arriving, #found)
    end
end
-- Requeues the messages of `count` tokens, which are the script's arguments. Returns for each 1 if
-- its lease had not ended, else 0. If `started` is false, the deliveries do not count as attempts. In
-- this case, keep(message) stores the expiry time of each message that expires. Without `keep`, the
-- messages no longer expire.
local function release(queue, leases, taken, returned, count, started, keep)
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
        message.attempt = message.attempt - (started and 0 or 1)
        if started or not keep then
            message.expires = 0
        elseif message.expires ~= 0 then
            keep(message)
        end
    end
    requeue(queue, returned, messages, now)
    return done
end
