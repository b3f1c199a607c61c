-- include: subscribers
-- Adds a message to a reliable topic, unless the topic has subscribers of an older Redisson.
--
-- KEYS[1] stream   KEYS[2] subscribers of Redisson 3.21.0 and older
-- ARGV[1] message
-- Returns the number of subscribers, or nil if the topic has subscribers of an older Redisson.
-- Redisson: RedissonReliableTopic.publishAsync(Object)
if call('exists', KEYS[2]) == 1 then
    return nil
end
local count = #groups()
call('xadd', KEYS[1], '*', 'm', ARGV[1])
return count
