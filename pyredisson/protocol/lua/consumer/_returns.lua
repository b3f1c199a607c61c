-- Puts a taken message back to the head of its queue; a delivery that was not begun does not count.
local function put_back(queue, leases, taken, returned, token, record, score, begun)
    local message = message_of(record)
    end_lease(leases, taken, token, record, score)
    call('lpush', queue, message.value)
    undo('lpop', queue)
    if not begun then
        message.attempt = message.attempt - 1
    end
    remember(returned, message, '')
end
-- Puts back what was moved out of the queue and nobody took.
local function put_back_arriving(queue, arriving)
    local found = call('lpop', arriving, 1000)
    if found then
        undo('rpush', arriving, unpack(found))
        for i = #found, 1, -1 do
            call('lpush', queue, found[i])
            undo('lpop', queue)
        end
    end
end
-- Puts back the messages of leases that have ended, at most `limit`: whose lease ended first comes
-- first, and what is arriving behind them.
local function put_back_ended(queue, arriving, leases, taken, returned, now, limit)
    local ended = call('zrangebyscore', leases, '-inf', now, 'withscores', 'limit', 0, limit)
    if #ended > 0 then
        put_back_arriving(queue, arriving)
    end
    for i = #ended - 1, 1, -2 do
        local record = call('hget', taken, ended[i])
        if record then
            put_back(queue, leases, taken, returned, ended[i], record, ended[i + 1], true)
        else
            call('zrem', leases, ended[i])
            undo('zadd', leases, ended[i + 1], ended[i])
        end
    end
end
