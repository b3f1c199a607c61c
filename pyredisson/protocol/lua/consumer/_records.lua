-- What is kept of a message: a record while it is taken, an entry while it is back in the queue.
--
-- record  id (16), attempt (4), first taken (8), taken (8), due (8), value; numbers are big-endian,
--         times epoch ms, due is 0 where it is not known
-- entry   id (16), attempt (4), first taken (8), due (8), length (1) and bytes of what stands before
--         the value in the pending member, nothing where the value went to the queue itself; those
--         of equal values stand in one field, whose name is the value's SHA1, the oldest first
local RECORD, ENTRY = '>c16I4I8I8I8', '>c16I4I8I8Bc0'
local function server_ms()
    local time = redis.pcall('time')
    if failed(time) then
        refuse(time.err, 'time', 'of the server')
    end
    return time[1] * 1000 + math.floor(time[2] / 1000)
end
-- What stands before the value in a pending member of ours, and the value.
local function halves(member)
    local size = 16
    if string.byte(member) == 16 and #member > 24 and struct.unpack('L', member, 18) == #member - 25 then
        size = 25
    end
    return string.sub(member, 1, size), string.sub(member, size + 1)
end
local function message_of(record)
    local message, at = {}, nil
    message.id, message.attempt, message.first, message.taken, message.due, at =
        struct.unpack(RECORD, record)
    message.value = string.sub(record, at)
    return message
end
local function record_of(message)
    return struct.pack(RECORD, message.id, message.attempt, message.first, message.taken, message.due)
        .. message.value
end
local function remember(key, message, prefix)
    local field = redis.sha1hex(message.value)
    local known = call('hget', key, field)
    local entry = struct.pack(
        ENTRY, message.id, message.attempt, message.first, message.due, #prefix, prefix
    )
    call('hset', key, field, (known or '') .. entry)
    if known then
        undo('hset', key, field, known)
    else
        undo('hdel', key, field)
    end
end
-- Takes the oldest entry of a value that fits(prefix) away; nil without one.
local function recall(key, value, fits)
    local field = redis.sha1hex(value)
    local known = call('hget', key, field) or ''
    local at = 1
    while at <= #known do
        local id, attempt, first, due, prefix, behind = struct.unpack(ENTRY, known, at)
        if fits(prefix) then
            local rest = string.sub(known, 1, at - 1) .. string.sub(known, behind)
            if rest == '' then
                call('hdel', key, field)
            else
                call('hset', key, field, rest)
            end
            undo('hset', key, field, known)
            return {id = id, attempt = attempt, first = first, due = due, prefix = prefix}
        end
        at = behind
    end
    return nil
end
-- The record of a lease that has not ended, and its end; nil without one.
local function held(leases, taken, token, now)
    local score = call('zscore', leases, token)
    if score and tonumber(score) > now then
        local record = call('hget', taken, token)
        if record then
            return record, score
        end
    end
    return nil
end
local function end_lease(leases, taken, token, record, score)
    call('zrem', leases, token)
    undo('zadd', leases, score, token)
    call('hdel', taken, token)
    undo('hset', taken, token, record)
end
