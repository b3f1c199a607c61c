-- include: kernel/clock
-- include: log
-- include: limiter
-- include: keep_alive
-- Releases the permits of a rate limiter that were acquired last, if their interval is not over.
-- Reads the newest MOST entries of the log.
--
-- KEYS[1] rate   KEYS[2] free permits   KEYS[3] free permits of this client
-- KEYS[4] log   KEYS[5] log of this client
-- ARGV[1] number of permits
-- Returns how many were released, or -1 if the limiter has no rate.
-- Redisson: RedissonRateLimiter.releaseAsync, which keeps the log, so the permits become free twice
local left = tonumber(ARGV[1])
need('zrem', LOG, 'pyredisson_none')
without_memory('zrem', LOG, 'pyredisson_none')
local newest = call('zrevrange', LOG, 0, MOST - 1, 'withscores')
for i = 1, #newest, 2 do
    local entry, permits = newest[i], sum({newest[i]}, 1)
    if left < 1 or tonumber(newest[i + 1]) <= now - interval then
        break
    end
    if permits > left then
        local rest = string.sub(entry, 1, -5) .. struct.pack('<I4', permits - left)
        call('zadd', LOG, newest[i + 1], rest)
        undo('zrem', LOG, rest)
    end
    remove('zrem', LOG, entry)
    left = math.max(left - permits, 0)
end
local released = ARGV[1] - left
store(math.min(free + released, rate))
keep_alive(FREE, LOG, of_client and interval)
return released
