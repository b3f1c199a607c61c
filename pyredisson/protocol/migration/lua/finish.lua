-- Ends a migration after all whole items are in a queue again.
-- Times without an entry, and letters without a time, go back to the queue.
--
-- KEYS[1] timeout set of the migration   KEYS[2] its dead letters   KEYS[3] its dedup keys
-- KEYS[4] timeout set   KEYS[5] dead letters   KEYS[6] the migration
-- KEYS[7] options of an ended migration
-- ARGV[1] run   ARGV[2] ms for which to keep the options; 0 not to keep them
-- Returns how many times and letters went back; -1 if another run has taken over.
-- Redisson: none; RedissonDelayedQueue cannot be moved
if call('hget', KEYS[6], 'run') ~= ARGV[1] then
    return -1
end
need('del', KEYS[6])
local times, letters = call('zrange', KEYS[1], 0, -1, 'withscores'), call('hgetall', KEYS[2])
for i = 1, #times, 2 do
    call('zadd', KEYS[4], times[i + 1], times[i])
    undo('zrem', KEYS[4], times[i])
end
for i = 1, #letters, 2 do
    call('hset', KEYS[5], letters[i], letters[i + 1])
    undo('hdel', KEYS[5], letters[i])
end
if ARGV[2] ~= '0' then
    call('set', KEYS[7], call('hget', KEYS[6], 'options'), 'px', ARGV[2])
    undo('del', KEYS[7])
end
call('del', KEYS[1])
call('del', KEYS[2])
call('del', KEYS[3])
call('del', KEYS[6])
return (#times + #letters) / 2
