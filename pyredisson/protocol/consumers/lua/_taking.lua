-- Takes the messages of ended leases, then the in-transit list, then the head of the queue. KEYS
-- and ARGV are described in take.lua. If items expire, `expiry` has these functions:
--
-- record(value)   removes and returns the record of an item that expires, or returns nil
-- bury(message, now, gone)   dead-letters or drops an expired item; adds 'dead' or 'dropped', and
--                            the item's record, to `gone`
-- forget(limit)   deletes the records of items that other clients took
local QUEUE, ARRIVING, LEASES, TAKEN = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local RETURNED, RETRIED, POSTPONED, TIMEOUTS = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local PAUSED, EXPIRING = KEYS[9], KEYS[10]
local MOST_EXPIRED = 2000
local function put_all_back(now, consumers)
    local messages = ended_messages(LEASES, TAKEN, consumers, now, SOME)
    add_arriving(ARRIVING, messages)
    requeue(QUEUE, RETURNED, messages, now)
end
-- Returns the message of a value, with its record if it was requeued or expires.
local returned, retried
local function message_with(value, expiry)
    local record = returned and find(RETURNED, value, function() return true end)
    if record then
        remove('zrem', RETURNED, record.bytes)
    elseif retried then
        record = find_delivered(RETRIED, POSTPONED, TIMEOUTS, value)
    end
    record = record or expiry and expiry.record(value) or {attempt = 0, first = 0, due = 0, expires = 0}
    record.value = value
    return record
end
-- Moves elements of ARRIVING, then QUEUE, to `messages`, up to `limit`. Expired items go to `gone`.
-- `bytes` is how many bytes the script has read before. Returns false if the script has read enough
-- bytes or too many expired items, else true.
local function read_lists(messages, limit, expiry, now, gone, bytes)
    for _, key in ipairs({ARRIVING, QUEUE}) do
        local passed, values = 0, nil
        repeat
            values, bytes = within(#gone < MOST_EXPIRED and limit - #messages or 0, function(first, last)
                return call('lrange', key, passed + first, passed + last)
            end, bytes)
            passed = passed + #values
            for i = 1, #values do
                local message = message_with(values[i], expiry)
                if expiry and has_expired(message, now) then
                    expiry.bury(message, now, gone)
                else
                    messages[#messages + 1] = message
                end
            end
        until not expiry or #values == 0
        if passed > 0 then
            remove('lpop', key, passed)
        end
    end
    return bytes < ENOUGH and #gone < MOST_EXPIRED
end
-- Called if the queue is empty. Deletes the records of messages that other clients took from it.
local function forget_others(expiry, now, due)
    if returned then
        remove('del', RETURNED)
    end
    if due and call('exists', due) == 1 then
        remove('del', due)
    end
    if expiry then
        expiry.forget(SOME)
    end
    local found = within(SOME, function(first, last)
        return call('zrangebyscore', POSTPONED, '-inf', now, 'limit', first, last - first + 1)
    end)
    for _, entry in ipairs(found) do
        local when, due = call('zscore', POSTPONED, entry), call('zscore', TIMEOUTS, entry)
        if due then
            put_off(RETRIED, POSTPONED, entry, when, math.max(due, now + 1000))
        else
            forget_value_record(RETRIED, POSTPONED, entry, when)
        end
    end
end
-- Adds the due times of messages that are taken for the first time, if a transfer has stored the
-- times. Of items with equal values, only the due time of the last transferred item is stored.
local function add_due_times(due, messages)
    for i = 1, due and call('exists', due) == 1 and #messages or 0 do
        local message, sha = messages[i], redis.sha1hex(messages[i].value)
        local moment = call('hget', due, sha)
        if moment then
            message.due = message.first == 0 and tonumber(moment) or message.due
            remove('hdel', due, sha)
        end
    end
end
local function lease(messages, now, consumers)
    local reply, records, leases, tokens = {now}, {}, {}, {}
    for i = 1, #messages do
        local message, token = messages[i], ARGV[3] .. struct.pack('>I2', i)
        if message.first == 0 then
            message.id, message.first = token, now
        end
        message.attempt, message.taken = message.attempt + 1, now
        reply[2 * i], reply[2 * i + 1] = token, record_of(message)
        records[2 * i - 1], records[2 * i] = token, reply[2 * i + 1]
        leases[2 * i - 1], leases[2 * i] = now + ARGV[2], token
        tokens[i] = token
    end
    call('hset', TAKEN, unpack(records))
    undo('hdel', TAKEN, unpack(tokens))
    call('zadd', LEASES, unpack(leases))
    undo('zrem', LEASES, unpack(tokens))
    if ARGV[6] then
        note_consumer(consumers, now, ARGV[5], ARGV[6])
    end
    return reply
end
local function take(expiry, consumers, due)
    local now, limit = server_ms(), tonumber(ARGV[1])
    need('lpop', QUEUE, 'x')
    need('lpush', QUEUE)
    need('zrem', LEASES, 'pyredisson_none')
    need('zadd', LEASES)
    need('hdel', TAKEN, 'pyredisson_none')
    need('hset', TAKEN)
    without_memory('zrem', LEASES, 'pyredisson_none')
    if call('exists', PAUSED, RETURNED, RETRIED, EXPIRING) > 0 then
        if call('exists', PAUSED) == 1 then
            put_all_back(now, consumers)
            return 'paused'
        end
        if not expiry and call('exists', EXPIRING) == 1 then
            return 'expiring'
        end
        returned, retried = call('exists', RETURNED) == 1, call('exists', RETRIED) == 1
    end
    local rest, gone = {}, {}
    local messages, _, bytes, log = ended_messages(LEASES, TAKEN, consumers, now, math.max(limit, SOME))
    for i = #messages, limit + 1, -1 do
        table.insert(rest, 1, table.remove(messages))
    end
    local empty = read_lists(messages, limit, expiry, now, gone, bytes)
    if #rest > 0 then
        requeue(QUEUE, RETURNED, rest, now)
    end
    local words = both(log, gone)
    local moment = #words > 0 and {now, unpack(words)} or now
    if #messages > 0 then
        add_due_times(due, messages)
        local reply = lease(messages, now, consumers)
        reply[1] = moment
        return reply
    end
    if empty then
        forget_others(expiry, now, due)
    end
    return (ARGV[4] == '1' or #words > 0) and {moment} or nil
end
