-- Tells when each of many queues needs a look: an item is due, or a lease of its consumers ends.
--
-- KEYS    timeout set, leases and arriving list of each queue in turn; in a cluster of one slot
-- Returns for each queue the earlier of the two moments, 0 where anything is arriving, or nil.
-- Redisson: none; RedissonDelayedQueue's pushTaskAsync says as much of one queue
local moments = {}
for i = 1, #KEYS, 3 do
    local due = call('zrange', KEYS[i], 0, 0, 'WITHSCORES')[2]
    local ends = call('zrange', KEYS[i + 1], 0, 0, 'WITHSCORES')[2]
    if not due or ends and tonumber(ends) < tonumber(due) then
        due = ends
    end
    if call('llen', KEYS[i + 2]) > 0 then
        due = '0'
    end
    moments[#moments + 1] = due or false
end
return moments
