-- Tells when the earliest item of each of many delayed queues is due.
--
-- KEYS    timeout sets, one or more; in a cluster of one slot
-- Returns for each set the score of its head, or nil.
-- Redisson: none; RedissonDelayedQueue's pushTaskAsync says as much of one queue
local heads = {}
for i = 1, #KEYS do
    heads[i] = call('zrange', KEYS[i], 0, 0, 'WITHSCORES')[2] or false
end
return heads
