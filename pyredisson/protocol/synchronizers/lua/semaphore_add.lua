-- include: locks/notify
-- Adds to the number of free permits of a semaphore, and wakes waiters.
--
-- KEYS[1] free permits   KEYS[2] channel
-- ARGV[1] number to add, which can be below 0
-- ARGV[2] command that publishes   ARGV[3] another one, or ''
-- Returns {new number of free permits}. The error text of a rejected notification follows.
-- Redisson: RedissonSemaphore.releaseAsync; addPermitsAsync, which drops the time to live
without_memory('pexpire', KEYS[1], '')
local free = call('incrby', KEYS[1], ARGV[1])
return {free, notify(KEYS[2], free, ARGV[2], ARGV[3])}
