-- Two kinds of records: of a leased message, and of a value that was requeued or that expires.
--
-- record  id (16), attempt (4), first taken (8), taken (8), due (8), value. Numbers are big-endian,
--         and times are epoch ms; due is 0 if it is unknown. If the message expires, the highest
--         bit of attempt is set, and the expiry time (8) precedes the value. This time is negative
--         if the expired message is dropped
-- value record  SHA1 of the value (40, hexadecimal), when (8), length (1) and bytes of the prefix;
--         then id, attempt, first taken, due, and the expiry time (8), or 0 if it does not expire.
--         The prefix has the bytes before the value in the entry; it is empty if the value was
--         requeued at the head. All scores in the sorted set are 0, so records of equal values are
--         neighbours, in the order of `when`
local RECORD, VALUE_RECORD = '>c16I4I8I8I8', '>I8Bc0c16I4I8I8i8'
local HEAD, EXPIRES = 44, 2 ^ 31
local SHA, FEW, MANY, LITTLE = 40, 4, 32, 0.1
local function server_ms()
    local time = redis.pcall('time')
    if failed(time) then
        abort(time.err, 'time', 'of the server')
    end
    return time[1] * 1000 + math.floor(time[2] / 1000)
end
-- Returns the prefix of a pending entry of pyredisson, and the value.
local function halves(entry)
    local size = 16
    if string.byte(entry) == 16 and #entry > 24 and struct.unpack('L', entry, 18) == #entry - 25 then
        size = 25
    end
    return string.sub(entry, 1, size), string.sub(entry, size + 1)
end
local function message_of(record)
    local message, at = {expires = 0}, nil
    message.id, message.attempt, message.first, message.taken, message.due, at =
        struct.unpack(RECORD, record)
    if message.attempt >= EXPIRES then
        message.attempt = message.attempt - EXPIRES
        message.expires, at = struct.unpack('>i8', record, at)
    end
    message.value = string.sub(record, at)
    return message
end
local function head_of(message, flag)
    return struct.pack(
        RECORD, message.id, message.attempt + (flag or 0), message.first, message.taken, message.due
    )
end
local function record_of(message)
    if message.expires == 0 then
        return head_of(message) .. message.value
    end
    return head_of(message, EXPIRES) .. struct.pack('>i8', message.expires) .. message.value
end
local function has_expired(message, now)
    return message.expires ~= 0 and math.abs(message.expires) <= now
end
local function value_record(packed_record)
    local record = {bytes = packed_record}
    record.when, record.prefix, record.id, record.attempt, record.first, record.due, record.expires =
        struct.unpack(VALUE_RECORD, packed_record, SHA + 1)
    return record
end
local function packed(sha, record, when)
    return sha .. struct.pack(
        VALUE_RECORD, when, #record.prefix, record.prefix, record.id, record.attempt, record.first, record.due,
        record.expires
    )
end
local function add(key, score, element)
    call('zadd', key, score, element)
    undo('zrem', key, element)
end
-- Stores the value record of a message; `prefix` is the prefix of its pending entry, or empty.
local function remember(key, message, when, prefix)
    message.prefix = prefix
    add(key, 0, packed(redis.sha1hex(message.value), message, when))
end
-- Returns the first record of a value for which fits(record) returns true, among the records that
-- this script did not read before. For a record that does not fit, fits(record) returns a cost. If
-- the costs for a value add up to MANY, returns nil.
local finds = {}
local function find(key, value, fits)
    local sha = redis.sha1hex(value)
    local seen = finds[key .. sha]
    if not seen then
        seen = {page = {}, at = 0, behind = '[' .. sha, size = FEW, unfit = 0}
        finds[key .. sha] = seen
    end
    while seen.unfit < MANY do
        if seen.at == #seen.page then
            seen.page = call(
                'zrangebylex', key, seen.behind, '(' .. sha .. '\255', 'limit', 0, seen.size
            )
            seen.at, seen.size = 0, MANY
            if #seen.page == 0 then
                return nil
            end
            seen.behind = '(' .. seen.page[#seen.page]
        end
        seen.at = seen.at + 1
        local record = value_record(seen.page[seen.at])
        local fit = fits(record)
        if fit == true then
            return record
        end
        seen.unfit = seen.unfit + fit
    end
end
-- A second sorted set, `times`, has the pending entries of value records by `when`.
--
-- find_delivered(records, times, timeouts, value)   removes and returns the first record whose
--                  entry is no longer pending, or returns nil. If an entry is pending and due later
--                  than `when`, its due time becomes `when`
-- put_off(records, times, entry, when, later)   changes `when` of a record and its entry to `later`
-- forget_value_record(records, times, entry, when)   deletes a record and its entry, and returns
--                  the record, or nil if it does not exist
local function value_record_at(records, entry, when)
    local prefix, value = halves(entry)
    local sha = redis.sha1hex(value)
    local from = sha .. struct.pack('>I8Bc0', when, #prefix, prefix)
    local found = call('zrangebylex', records, '[' .. from, '(' .. sha .. '\255', 'limit', 0, 1)[1]
    if found and string.sub(found, 1, #from) == from then
        return value_record(found), sha
    end
    local others = call('zrangebylex', records, '[' .. sha, '(' .. sha .. '\255', 'limit', 0, MANY)
    for i = 1, #others do
        local record = value_record(others[i])
        if record.prefix == prefix then
            return record, sha
        end
    end
    return nil, sha
end
local function put_off(records, times, entry, when, later)
    local record, sha = value_record_at(records, entry, when)
    call('zadd', times, later, entry)
    undo('zadd', times, when, entry)
    if record and record.when ~= later then
        add(records, 0, packed(sha, record, later))
        remove('zrem', records, record.bytes)
    end
end
local function forget_value_record(records, times, entry, when)
    local record = value_record_at(records, entry, when)
    remove('zrem', times, entry)
    if record then
        remove('zrem', records, record.bytes)
    end
    return record
end
local function find_delivered(records, times, timeouts, value)
    local record = find(records, value, function(record)
        local due = call('zscore', timeouts, record.prefix .. value)
        if due and tonumber(due) > record.when then
            put_off(records, times, record.prefix .. value, record.when, due)
            return LITTLE
        end
        return not due or 1
    end)
    if record then
        local entry = record.prefix .. value
        remove('zrem', records, record.bytes)
        if call('zscore', times, entry) then
            remove('zrem', times, entry)
        end
    end
    return record
end
-- Returns the end of a token's lease if the lease has not ended, else nil. A second call for the
-- same token in a script also returns nil.
local asked = {}
local function lease_end(leases, token, now)
    local score = not asked[token] and call('zscore', leases, token)
    asked[token] = true
    return score and tonumber(score) > now and score or nil
end
-- Returns the record of a lease that has not ended, else nil; a truncated record counts as none.
local function held(leases, taken, token, now)
    local record = lease_end(leases, token, now) and call('hget', taken, token)
    return record and #record >= HEAD and record or nil
end
-- Returns the end of a lease that has not ended and has a whole record, else nil. After a LARGE
-- record, this function uses HSTRLEN for the next records, if the server permits it.
local LARGE, measures = 4096, false
local function lasts(leases, taken, token, now)
    local score = lease_end(leases, token, now)
    if not score then
        return nil
    end
    local size = measures and call('hstrlen', taken, token) or #(call('hget', taken, token) or '')
    measures = measures or size > LARGE and not denied('hstrlen', taken, 'x')
    return size >= HEAD and score or nil
end
local function end_lease(leases, taken, token)
    remove('zrem', leases, token)
    remove('hdel', taken, token)
end
