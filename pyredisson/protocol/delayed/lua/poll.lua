-- include: typed
-- Takes the oldest pending items, due or not, in the order in which they were offered.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] how many
-- Returns the packed members, so that one that cannot be read is not lost.
-- Redisson: RedissonDelayedQueue.pollAsync() and pollAsync(int)
local members = {}
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
for i = 1, tonumber(ARGV[1]) do
    local member = call('lpop', KEYS[1])
    if member == false then
        break
    end
    undo('lpush', KEYS[1], member)
    call('zrem', KEYS[2], member)
    members[i] = member
end
return members
