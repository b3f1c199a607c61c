-- Tells when each of many queues needs a look: an item is due, or a lease of its consumers ends.
--
-- KEYS    timeout set, leases, arriving list and keys of deduplication of each queue in turn; in a
--         cluster of one slot
-- Returns for each queue the earlier of the two moments, 0 where anything is arriving or keys are
-- left of no item, or nil.
-- Redisson: none; RedissonDelayedQueue's pushTaskAsync says as much of one queue
local moments = {}
for i = 1, #KEYS, 4 do
    local due = call('zrange', KEYS[i], 0, 0, 'WITHSCORES')[2]
    local ends = call('zrange', KEYS[i + 1], 0, 0, 'WITHSCORES')[2]
    local left = call('llen', KEYS[i + 2]) > 0 or not due and redis.pcall('exists', KEYS[i + 3]) == 1
    if not due or ends and tonumber(ends) < tonumber(due) then
        due = ends
    end
    moments[#moments + 1] = left and '0' or due or false
end
return moments
