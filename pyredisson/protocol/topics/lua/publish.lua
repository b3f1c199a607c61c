-- include: subscribers
-- Adds a message to a reliable topic, unless the topic has subscribers of the older layout.
--
-- KEYS[1] stream   KEYS[2] subscribers of the older layout
-- ARGV[1] message
-- Returns the number of subscribers, or nil if the topic has subscribers of the older layout.
-- Redisson: RedissonReliableTopic.publishAsync(Object)
if call('exists', KEYS[2]) == 1 then
    return nil
end
local count = #groups()
call('xadd', KEYS[1], '*', 'm', ARGV[1])
return count
