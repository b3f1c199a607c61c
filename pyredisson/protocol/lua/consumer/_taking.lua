-- Takes elements from the head of a queue, first what others have left behind; the keys and arguments
-- are those of take.lua. `expired`, where it is given, tells of a value whether it has just been
-- buried, and `forget_taken` forgets items that others took.
local QUEUE, ARRIVING, LEASES, TAKEN = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local RETURNED, RETRIED, POSTPONED, TIMEOUTS = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local PAUSED, EXPIRING = KEYS[9], KEYS[10]
local SOME, MOST_EXPIRED = 100, 1000
local function pending(member)
    return call('zscore', TIMEOUTS, member)
end
local function take(expired, forget_taken)
    local now = server_ms()
    need('lpop', QUEUE)
    need('lpush', QUEUE)
    need('zrem', LEASES, 'pyredisson_none')
    need('zadd', LEASES)
    need('hdel', TAKEN, 'pyredisson_none')
    need('hset', TAKEN)
    put_back_ended(QUEUE, ARRIVING, LEASES, TAKEN, RETURNED, now, SOME)
    local more = call('exists', PAUSED, RETURNED, RETRIED, EXPIRING) > 0
    if more and call('exists', PAUSED) == 1 then
        put_back_arriving(QUEUE, ARRIVING)
        return 'paused'
    end
    if more and not expired and call('exists', EXPIRING) == 1 then
        return 'expiring'
    end
    local values, gone = {}, 0
    for _, key in ipairs({ARRIVING, QUEUE}) do
        repeat
            local left = ARGV[1] - #values
            local popped = left > 0 and gone < MOST_EXPIRED and call('lpop', key, left) or {}
            for i = #popped, 1, -1 do
                undo('lpush', key, popped[#popped + 1 - i])
            end
            for i = 1, #popped do
                if expired and expired(popped[i], now) then
                    gone = gone + 1
                else
                    values[#values + 1] = popped[i]
                end
            end
        until not expired or #popped == 0
    end
    if #values == 0 and gone >= MOST_EXPIRED then
        return {now}
    elseif #values == 0 then
        if more then
            call('del', RETURNED)
        end
        if expired then
            forget_taken(SOME)
        end
        local due = call('zrangebyscore', POSTPONED, '-inf', now, 'limit', 0, SOME)
        for i = 1, #due do
            if not pending(due[i]) then
                local prefix, value = halves(due[i])
                recall(RETRIED, value, function(before) return before == prefix end)
                call('zrem', POSTPONED, due[i])
            end
        end
        return (ARGV[4] == '1' or gone > 0) and {now} or nil
    end
    local returned = more and call('exists', RETURNED) == 1
    local retried = more and call('exists', RETRIED) == 1
    local function known_of(value)
        local known = returned and recall(RETURNED, value, function() return true end)
        if not known and retried then
            known = recall(RETRIED, value, function(prefix)
                return not pending(prefix .. value)
            end)
            if known then
                call('zrem', POSTPONED, known.prefix .. value)
            end
        end
        return known
    end
    local reply, records, leases = {now}, {}, {}
    for i = 1, #values do
        local token = ARGV[3] .. struct.pack('>I4', i)
        local message = known_of(values[i]) or {id = token, attempt = 0, first = now, due = 0}
        message.attempt, message.taken, message.value = message.attempt + 1, now, values[i]
        reply[2 * i], reply[2 * i + 1] = token, record_of(message)
        records[2 * i - 1], records[2 * i] = token, reply[2 * i + 1]
        leases[2 * i - 1], leases[2 * i] = now + ARGV[2], token
    end
    call('hset', TAKEN, unpack(records))
    undo('hdel', TAKEN, unpack(records))
    call('zadd', LEASES, unpack(leases))
    return reply
end
