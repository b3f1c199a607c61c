-- include: member
-- Takes the newest pending item and puts its value at the head of another list.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] the other list   KEYS[4] poison list
-- Returns the packed member or nil; one that cannot be read goes to the poison list.
-- Redisson: RedissonDelayedQueue.pollLastAndOfferFirstToAsync(String)
local member = redis.call('rpop', KEYS[1])
if member == false then
    return nil
end
redis.call('zrem', KEYS[2], member)
local value = value_of(member)
if value then
    redis.call('lpush', KEYS[3], value)
else
    redis.call('rpush', KEYS[4], member)
end
return member
