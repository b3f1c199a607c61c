-- include: times
-- include: near
-- Removes one pending item by its exact entry, unless it was transferred or removed before.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] packed entry
-- Returns 1 if it was pending, else 0.
-- Redisson: none; RedissonDelayedQueue.remove searches for a value
need('lrem', KEYS[1], 'none', '')
local near = end_near(KEYS[1], call('llen', KEYS[1]), ARGV[1])
if call('zrem', KEYS[2], ARGV[1]) == 0 then
    return 0
end
call('lrem', KEYS[1], near, ARGV[1])
return 1
