-- include: kernel/steps
-- include: records
-- include: returns
-- Requeues messages at the head of their queue, in their order.
--
-- KEYS[1] queue   KEYS[2] leases   KEYS[3] taken   KEYS[4] returned
-- ARGV 1 if their deliveries count, else 0; then tokens
-- Returns for each 1 if its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has nothing to release
local started = table.remove(ARGV, 1) == '1'
return release(KEYS[1], KEYS[2], KEYS[3], KEYS[4], #ARGV, started)
