-- include: kernel/clock
-- include: subscribers
-- Creates a subscriber of a reliable topic, or renews its time to live.
--
-- KEYS[1] stream   KEYS[2] when each subscriber expires
-- KEYS[3] subscribers of Redisson 3.21.0 and older
-- ARGV[1] subscriber   ARGV[2] time to live, ms   ARGV[3] id after which a new subscriber begins
-- Returns the id of the last message that the subscriber has handled (ARGV[3] for a new one), or
-- nil if the topic has subscribers of an older Redisson.
-- Redisson: RedissonReliableTopic.addListenerAsync(Class, MessageListener)
if call('exists', KEYS[3]) == 1 then
    return nil
end
local last, expires = nil, call('zscore', KEYS[2], ARGV[1])
for _, group in ipairs(groups()) do
    if group.name == ARGV[1] then
        last = group['last-delivered-id']
    end
end
call('zadd', KEYS[2], server_ms() + ARGV[2], ARGV[1])
undo(function()
    if expires then
        call('zadd', KEYS[2], expires, ARGV[1])
    else
        call('zrem', KEYS[2], ARGV[1])
    end
end)
if not last then
    of_stream('xgroup', 'create', ARGV[1], ARGV[3], 'mkstream')
end
return last or ARGV[3]
