-- Reads when several queues have work: an item is due or expires, or a lease ends.
--
-- KEYS    for each queue in turn timeout set, leases, arriving, dedup keys and expiring; in a
--         cluster all in one slot
-- Returns for each queue the earliest of these times, epoch ms, or nil; 0 if the in-transit list
-- has elements, or if dedup keys exist and no item is pending.
-- Redisson: none; RedissonDelayedQueue's pushTaskAsync returns the next due time of one queue
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
