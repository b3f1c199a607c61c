-- include: consumers/records
-- include: delayed/entry
-- include: delayed/typed
-- include: groups
-- include: open
-- Closes the groups of messages that a consumer has taken, and reads the whole groups.
-- If a transfer was interrupted, a token may still be pending, and the queue may have copies of it.
-- While the lease of one copy lasts, the group is not read for another copy.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] timeout set   KEYS[4] delay list   KEYS[5] open
-- KEYS[6] groups
-- ARGV for each message in turn the token of its delivery, and its value: the token of its group
-- Returns for each message {key, id, values}; nil if its group does not exist, 0 if another
-- delivery has the group.
-- Redisson: none; RedissonDelayedQueue has no groups
local TIMEOUTS, LISTED, OPEN, GROUPS = KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local now, found, holder_of = server_ms(), {}, {}
local holders, keys, entries, lasts = {}, {}, {}, {}
local function taken_by_another(sha, delivery)
    local holder = holder_of[sha] or call('hget', GROUPS, sha .. 0)
    if not holder or holder == delivery then
        return false
    end
    if lasts[holder] == nil then
        lasts[holder] = holder_of[sha] ~= nil or held(KEYS[1], KEYS[2], holder, now) ~= nil
    end
    return lasts[holder]
end
for i = 1, #ARGV, 2 do
    local delivery, text = ARGV[i], ARGV[i + 1]
    local sha = redis.sha1hex(text)
    local size, id, key = head_of(GROUPS, sha)
    if size and taken_by_another(sha, delivery) then
        found[#found + 1] = 0
    elseif size then
        found[#found + 1] = read_group(GROUPS, sha, size, id, key)
        holder_of[sha] = delivery
        holders[#holders + 1], holders[#holders + 2] = sha .. 0, delivery
        local entry = entry_of(OPEN, key, text)
        if entry then
            keys[#keys + 1] = key
            entries[#entries + 1] = call('zscore', TIMEOUTS, entry) and entry or nil
        end
    else
        found[#found + 1] = false
    end
end
if #holders == 0 then
    return found
end
if #keys > 0 then
    need('hdel', OPEN, 'pyredisson_none')
end
if #entries > 0 then
    need('lrem', LISTED, 'none', '')
    typed('list', 'lrem', LISTED)
end
call('zrem', TIMEOUTS, 'pyredisson_none')
call('hset', GROUPS, unpack(holders))
for _, entry in ipairs(entries) do
    call('lrem', LISTED, 1, entry)
    call('zrem', TIMEOUTS, entry)
end
for _, key in ipairs(keys) do
    call('hdel', OPEN, key)
end
return found
