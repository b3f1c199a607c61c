-- include: kernel/clock
-- include: subscribers
-- Notes that a subscriber has handled a message and all before it.
-- Then removes up to 100 other subscribers that have expired. Also removes the messages that all
-- remaining subscribers have handled.
--
-- KEYS[1] stream   KEYS[2] when each subscriber expires
-- ARGV[1] subscriber   ARGV[2] id of the message
-- Returns 1, or 0 if the subscriber does not exist.
-- Redisson: RedissonReliableTopic.poll(String, StreamMessageId), which also trims pending messages
local expired, gone, mine = call('zrangebyscore', KEYS[2], 0, server_ms() - 1, 'limit', 0, 100), {}, nil
if not call('zscore', KEYS[2], ARGV[1]) then
    return 0
end
for _, name in ipairs(expired) do
    if name ~= ARGV[1] then -- this one is alive, only late
        gone[name] = '0-0'
    end
end
local first
for _, group in ipairs(groups()) do
    local needed = group['last-delivered-id']
    if group.name == ARGV[1] then
        mine = needed
        needed = before(needed, ARGV[2]) and ARGV[2] or needed
    end
    needed = following(needed)
    if group.pending > 0 then
        needed = call('xpending', KEYS[1], group.name)[2]
    end
    if gone[group.name] then
        gone[group.name] = group['last-delivered-id']
    elseif not first or before(needed, first) then
        first = needed
    end
end
if not mine then
    return 0
end
if before(mine, ARGV[2]) then
    of_stream('xgroup', 'setid', ARGV[1], ARGV[2])
    undo('xgroup', 'setid', KEYS[1], ARGV[1], mine)
end
for name, position in pairs(gone) do
    if of_stream('xgroup', 'destroy', name) == 1 then
        undo('xgroup', 'create', KEYS[1], name, position)
    end
    remove('zrem', KEYS[2], name)
end
if next(gone) then
    need('zrem', KEYS[2], '')
end
call('xtrim', KEYS[1], 'minid', first)
return 1
