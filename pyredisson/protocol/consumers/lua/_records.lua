-- What is kept of a message: a record while it is taken, an entry while it is back in the queue.
--
-- record  id (16), attempt (4), first taken (8), taken (8), due (8), value; numbers are big-endian,
--         times epoch ms, due is 0 where it is not known. Where the message expires, the highest bit
--         of attempt is set, and when (8) stands before the value; negative where it is dropped then
-- entry   SHA1 of the value (40, hexadecimal), when (8), length (1) and bytes of what stands before
--         the value in the pending member, nothing where the value went to the queue itself; then
--         id, attempt, first taken, due, and when it expires (8) or 0. It is a member of a sorted set in
--         which all scores are 0: entries of equal values stand together, the earliest `when` first
local RECORD, ENTRY = '>c16I4I8I8I8', '>I8Bc0c16I4I8I8i8'
local HEAD, EXPIRES = 44, 2 ^ 31
local SHA, FEW, MANY, LITTLE = 40, 4, 32, 0.1
local function server_ms()
    local time = redis.pcall('time')
    if failed(time) then
        abort(time.err, 'time', 'of the server')
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
local function record_of(message)
    local attempt, expires = message.attempt, ''
    if message.expires ~= 0 then
        attempt, expires = attempt + EXPIRES, struct.pack('>i8', message.expires)
    end
    return struct.pack(RECORD, message.id, attempt, message.first, message.taken, message.due)
        .. expires .. message.value
end
local function has_expired(message, now)
    return message.expires ~= 0 and math.abs(message.expires) <= now
end
local function entry_of(member)
    local entry = {member = member}
    entry.when, entry.prefix, entry.id, entry.attempt, entry.first, entry.due, entry.expires =
        struct.unpack(ENTRY, member, SHA + 1)
    return entry
end
local function packed(sha, entry, when)
    return sha .. struct.pack(
        ENTRY, when, #entry.prefix, entry.prefix, entry.id, entry.attempt, entry.first, entry.due,
        entry.expires
    )
end
local function add(key, score, member)
    call('zadd', key, score, member)
    undo('zrem', key, member)
end
-- Keeps what is known of a message under its value; `prefix` is what stands before it where it is pending.
local function remember(key, message, when, prefix)
    message.prefix = prefix
    add(key, 0, packed(redis.sha1hex(message.value), message, when))
end
-- The first entry of a value that fits(entry) and was not found before. It returns true where it
-- does, else how much it tires: find gives up, with nil, where that adds up to MANY.
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
        local entry = entry_of(seen.page[seen.at])
        local fit = fits(entry)
        if fit == true then
            return entry
        end
        seen.unfit = seen.unfit + fit
    end
end
-- Entries of pending members have a second set beside them, with these members by `when`.
--
-- find_delivered(entries, times, timeouts, value)   the first entry whose member is not pending any
--                  more; one that is pending for longer gets its later time
-- put_off(entries, times, member, when, later)   looks at it again later
-- forget_entry(entries, times, member, when)   and returns it, nil without one
local function entry_at(entries, member, when)
    local prefix, value = halves(member)
    local sha = redis.sha1hex(value)
    local from = sha .. struct.pack('>I8Bc0', when, #prefix, prefix)
    local found = call('zrangebylex', entries, '[' .. from, '(' .. from .. '\255', 'limit', 0, 1)[1]
    if found then
        return entry_of(found), sha
    end
    local others = call('zrangebylex', entries, '[' .. sha, '(' .. sha .. '\255', 'limit', 0, MANY)
    for i = 1, #others do
        local entry = entry_of(others[i])
        if entry.prefix == prefix then
            return entry, sha
        end
    end
    return nil, sha
end
local function put_off(entries, times, member, when, later)
    local entry, sha = entry_at(entries, member, when)
    call('zadd', times, later, member)
    undo('zadd', times, when, member)
    if entry then
        add(entries, 0, packed(sha, entry, later))
        remove('zrem', entries, entry.member)
    end
end
local function forget_entry(entries, times, member, when)
    local entry = entry_at(entries, member, when)
    remove('zrem', times, member)
    if entry then
        remove('zrem', entries, entry.member)
    end
    return entry
end
local function find_delivered(entries, times, timeouts, value)
    local entry = find(entries, value, function(entry)
        local due = call('zscore', timeouts, entry.prefix .. value)
        if due and tonumber(due) > entry.when then
            put_off(entries, times, entry.prefix .. value, entry.when, due)
            return LITTLE
        end
        return not due or 1
    end)
    if entry then
        local member = entry.prefix .. value
        remove('zrem', entries, entry.member)
        if call('zscore', times, member) then
            remove('zrem', times, member)
        end
    end
    return entry
end
-- The record of a lease that has not ended, and its end; nil without one, or where it was asked for
-- before.
local asked = {}
local function held(leases, taken, token, now)
    local score = not asked[token] and call('zscore', leases, token)
    asked[token] = true
    if score and tonumber(score) > now then
        local record = call('hget', taken, token)
        if record and #record >= HEAD then
            return record, score
        end
    end
    return nil
end
local function end_lease(leases, taken, token)
    remove('zrem', leases, token)
    remove('hdel', taken, token)
end
