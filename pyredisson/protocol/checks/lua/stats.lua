-- include: kernel/clock
-- Counts the items of a queue in each state, in one step.
--
-- KEYS[1] queue   KEYS[2] timeout set   KEYS[3] in-transit list   KEYS[4] leases   KEYS[5] dead
-- KEYS[6] poison list   KEYS[7] pause
-- Returns {the server's time in ms, pending, due, score of the earliest item or nil, elements of
-- the queue, elements of the in-transit list, in progress, dead, poison, 1 during a pause, else 0}.
-- The count of a key of the wrong type is -1.
-- Redisson: none; RedissonDelayedQueue.size and RedissonQueue.size return one count each
local function count(command, key, ...)
    local found = redis.pcall(command, key, ...)
    local text = failed(found)
    if text and string.find(text, 'WRONGTYPE', 1, true) then
        return -1
    end
    return text and abort(text, command, key) or found
end
local now = server_ms()
local first = count('zrange', KEYS[2], 0, 0, 'WITHSCORES')
return {
    now,
    count('zcard', KEYS[2]),
    count('zcount', KEYS[2], '-inf', now),
    type(first) == 'table' and first[2] or false,
    count('llen', KEYS[1]),
    count('llen', KEYS[3]),
    count('zcard', KEYS[4]),
    count('zcard', KEYS[5]),
    count('llen', KEYS[6]),
    call('exists', KEYS[7]),
}
