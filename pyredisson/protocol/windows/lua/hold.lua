-- include: consumers/records
-- include: delayed/member
-- include: delayed/typed
-- include: groups
-- include: open
-- Closes the groups of messages that somebody has just taken, and reads them whole.
-- Its text may be pending still, where a transfer stopped half-way; and there may be copies of it, of
-- which none is a message while the lease of another one lasts.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] timeout set   KEYS[4] delay list   KEYS[5] open
-- KEYS[6] groups
-- ARGV of each message its delivery and its text
-- Returns for each {key, id, values}; nil where nothing is kept under its text, 0 where another
-- delivery has the group.
-- Redisson: none; RedissonDelayedQueue knows no groups
local TIMEOUTS, LISTED, OPEN, GROUPS = KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local now, found, holder_of = server_ms(), {}, {}
local holders, keys, members, lasts = {}, {}, {}, {}
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
        local member = member_of(OPEN, key, text)
        if member then
            keys[#keys + 1] = key
            members[#members + 1] = call('zscore', TIMEOUTS, member) and member or nil
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
if #members > 0 then
    need('lrem', LISTED, 'none', '')
    typed('list', 'lrem', LISTED)
end
call('zrem', TIMEOUTS, 'pyredisson_none')
call('hset', GROUPS, unpack(holders))
for _, member in ipairs(members) do
    call('lrem', LISTED, 1, member)
    call('zrem', TIMEOUTS, member)
end
for _, key in ipairs(keys) do
    call('hdel', OPEN, key)
end
return found
