-- include: records
-- include: returns
-- Takes elements from the head of a queue with a lease; first what others have left behind.
-- LPOP or ZREM is the first write, so that it also works where the server has no memory left.
--
-- KEYS[1] queue   KEYS[2] arriving   KEYS[3] leases   KEYS[4] taken   KEYS[5] returned
-- KEYS[6] retried   KEYS[7] postponed   KEYS[8] timeout set   KEYS[9] paused
-- ARGV[1] how many at most   ARGV[2] lease, ms   ARGV[3] 12 random bytes
-- ARGV[4] 1 behind a wait for the end of a pause, else 0
-- Returns {now, epoch ms; token and record of each message in turn}; when there is nothing nil, or
-- {now} behind such a wait. When the queue is empty, what was kept of messages that others took from
-- it is forgotten. While the queue is paused 'paused': then what has just been moved for a take goes
-- back to where it was.
-- Redisson: none; RedissonBlockingQueue.poll forgets what it takes
local QUEUE, ARRIVING, LEASES, TAKEN = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local RETURNED, RETRIED, POSTPONED, TIMEOUTS = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local PAUSED = KEYS[9]
local SOME = 100
local now = server_ms()
need('lpop', QUEUE)
need('lpush', QUEUE)
need('zrem', LEASES, 'pyredisson_none')
need('zadd', LEASES)
need('hdel', TAKEN, 'pyredisson_none')
need('hset', TAKEN)
need('del', RETURNED)
need('zrem', POSTPONED, 'pyredisson_none')
put_back_ended(QUEUE, ARRIVING, LEASES, TAKEN, RETURNED, now, SOME)
local more = call('exists', PAUSED, RETURNED, RETRIED) > 0
if more and call('exists', PAUSED) == 1 then
    put_back_arriving(QUEUE, ARRIVING)
    return 'paused'
end
local values = {}
for _, key in ipairs({ARRIVING, QUEUE}) do
    local left = ARGV[1] - #values
    local popped = left > 0 and call('lpop', key, left) or {}
    for i = #popped, 1, -1 do
        undo('lpush', key, popped[#popped + 1 - i])
    end
    for i = 1, #popped do
        values[#values + 1] = popped[i]
    end
end
local function pending(member)
    return call('zscore', TIMEOUTS, member)
end
if #values == 0 then
    if more then
        call('del', RETURNED)
    end
    local due = call('zrangebyscore', POSTPONED, '-inf', now, 'limit', 0, SOME)
    for i = 1, #due do
        if not pending(due[i]) then
            local size = string.byte(due[i]) == 16 and 25 or 16
            recall(RETRIED, string.sub(due[i], size + 1), function(prefix)
                return prefix == string.sub(due[i], 1, size)
            end)
            call('zrem', POSTPONED, due[i])
        end
    end
    return ARGV[4] == '1' and {now} or nil
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
