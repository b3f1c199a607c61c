-- Tells when each of many queues needs a look: an item is due or expires, or a lease ends.
--
-- KEYS    timeout set, leases, arriving list, keys of deduplication and expiring set of each queue in
--         turn; in a cluster of one slot
-- Returns for each queue the earliest of these moments, 0 where anything is arriving or keys are
-- left of no item, or nil.
-- Redisson: none; RedissonDelayedQueue's pushTaskAsync says as much of one queue
local moments = {}
for i = 1, #KEYS, 5 do
    local due = call('zrange', KEYS[i], 0, 0, 'WITHSCORES')[2]
    local left = call('llen', KEYS[i + 2]) > 0 or not due and redis.pcall('exists', KEYS[i + 3]) == 1
    for _, key in ipairs({KEYS[i + 1], KEYS[i + 4]}) do
        local ends = call('zrange', key, 0, 0, 'WITHSCORES')[2]
        if not due or ends and tonumber(ends) < tonumber(due) then
            due = ends
        end
    end
    moments[#moments + 1] = left and '0' or due or false
end
return moments
