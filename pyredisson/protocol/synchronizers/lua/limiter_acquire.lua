-- include: kernel/clock
-- include: log
-- include: limiter
-- include: keep_alive
-- Acquires permits of a rate limiter. After the acquisition, a repeated call changes nothing.
--
-- KEYS[1] rate   KEYS[2] free permits   KEYS[3] free permits of this client
-- KEYS[4] log   KEYS[5] log of this client
-- ARGV[1] number of permits   ARGV[2] id of the acquisition, at most 255 bytes
-- Returns nil if they are acquired. Else -1 if the limiter has no rate, -2 if the number is above
-- the rate, 0 if more than MOST entries may be over, or the milliseconds until they may be free.
-- Redisson: RedissonRateLimiter.tryAcquireAsync, by the server's clock
local permits, id = tonumber(ARGV[1]), ARGV[2]
if permits > rate then
    return -2
end
local entry = struct.pack('<Bc0I4', #id, id, permits)
if call('zscore', LOG, entry) then
    return nil
end
local wait
if free < permits then
    local used = read_rest()
    if #rest < 2 * MOST then -- they are all: also finds permits that another client has lost
        free = math.max(free, rate - used)
    end
    local missing = permits - free
    for i = 1, #rest, 2 do
        if missing <= 0 then
            break
        end
        missing = missing - sum({rest[i]}, 1)
        wait = rest[i + 1] + interval - now
    end
end
if wait and #over == MOST then
    wait = 0 -- more entries are over
end
store(free)
if not wait then
    call('zadd', LOG, now, entry)
    undo('zrem', LOG, entry)
    call('decrby', FREE, permits)
    undo('incrby', FREE, permits)
end
keep_alive(FREE, LOG, of_client and interval)
return wait
