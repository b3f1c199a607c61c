-- include: kernel/clock
-- include: cache
-- Reads the time until an entry expires.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] key
-- Returns milliseconds; -1 without a limit; -2 if the entry does not exist or has expired.
-- Redisson: RedissonMapCache.remainTimeToLiveAsync(K)
local entry = read(ARGV[1])
if not entry then
    return -2
end
local left = entry.expires and tonumber(entry.expires) - now
if entry.idle ~= 0 and entry.idles then
    left = math.min(left or math.huge, tonumber(entry.idles) - now)
end
return left or -1
