-- include: subscribers
-- Removes a subscriber of a reliable topic.
--
-- KEYS[1] stream   KEYS[2] when each subscriber expires
-- ARGV[1] subscriber
-- Returns 1 if the subscriber existed, else 0.
-- Redisson: RedissonReliableTopic.removeListenerAsync(String...)
local found = 0
for _, group in ipairs(groups()) do
    if group.name == ARGV[1] then
        found = of_stream('xgroup', 'destroy', ARGV[1])
        undo('xgroup', 'create', KEYS[1], ARGV[1], group['last-delivered-id'])
    end
end
remove('zrem', KEYS[2], ARGV[1])
return found
