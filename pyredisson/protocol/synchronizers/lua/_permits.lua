-- Permits with leases, at the time of the script. The keys are the number of free permits, the
-- leases and the channel.
--
-- now           the server's time, epoch ms
-- ended         the ids of the oldest leases that have ended, at most MOST
-- free          the number of free permits; settle() adds the number of `ended`
-- NEVER         the score of a lease that has no end
-- settle(more)  removes the leases in `ended`, and adds their number and `more` to the free permits
local MOST, NEVER = 1000, 922337203685477
local now = server_ms()
local ended = call('zrangebyscore', KEYS[2], 0, now, 'limit', 0, MOST)
local free = tonumber(call('get', KEYS[1]) or 0) or abort('ERR value is not a number', 'get', KEYS[1])
if #ended > 0 then
    need('zrem', KEYS[2], 'pyredisson_none')
end
local function settle(more)
    local by = #ended + more
    if by ~= 0 then
        call('incrby', KEYS[1], by)
        undo('incrby', KEYS[1], -by)
        free = free + by
    end
    for i = 1, #ended do
        remove('zrem', KEYS[2], ended[i])
    end
end
