-- include: member
-- include: typed
-- Takes the newest pending item and puts its value at the head of another list.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] the other list   KEYS[4] poison list
-- Returns the packed member or nil; one that cannot be read goes to the poison list. So does one
-- that the other list refuses after all (a right, before Redis 7): its score is gone by then.
-- Redisson: RedissonDelayedQueue.pollLastAndOfferFirstToAsync(String)
need('lpush', KEYS[3])
need('rpush', KEYS[4])
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
typed('list', 'lpush', KEYS[3])
typed('list', 'rpush', KEYS[4])
local member = call('rpop', KEYS[1])
if member == false then
    return nil
end
undo('rpush', KEYS[1], member)
local value = value_of(member)
if not value then
    call('rpush', KEYS[4], member)
    undo('lrem', KEYS[4], -1, member)
end
call('zrem', KEYS[2], member)
forget()
if value then
    undo('rpush', KEYS[4], value)
    call('lpush', KEYS[3], value)
end
return member
