-- include: kernel/clock
-- include: cache
-- include: cache_events
-- Sets the limits of an entry that has not expired.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV end of the channels' names; command that publishes; another one, or ''; key; time to live
--      and max idle time, ms, 0 for no limit; 'nx' for an entry without limits only, or ''
-- Returns 1 if the limits were set. Returns 0 if the entry does not exist or has expired, or with
-- 'nx' if it has a limit.
-- Redisson: RedissonMapCache.expireEntryAsync(K, Duration, Duration), expireEntryIfNotSetAsync(...)
local key, ttl, idle, condition = unpack(ARGV, 4, #ARGV)
ttl, idle = tonumber(ttl), tonumber(idle)
local entry = read(key)
if not entry or condition == 'nx' and (entry.expires or entry.idle ~= 0) then
    return 0
end
local value = bare(entry.data)
call('hset', MAP, key, struct.pack('dLc0', idle, #value, value))
undo('hset', MAP, key, entry.data)
if ttl > 0 then
    set_score(EXPIRES, now + ttl, key, entry.expires)
elseif entry.expires then
    remove('zrem', EXPIRES, key)
end
if idle > 0 then
    set_score(IDLES, now + idle, key, entry.idles)
elseif entry.idles then
    remove('zrem', IDLES, key)
end
use(key)
return 1
