-- include: kernel/clock
-- include: cache
-- include: cache_events
-- include: cache_store
-- Adds a number to a value. An entry that does not exist or has expired counts as 0.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV end of the channels' names; command that publishes; another one, or ''; key; number
-- Returns the sum.
-- Redisson: RedissonMapCache.addAndGetOperationAsync(K, Number)
local key, delta = unpack(ARGV, 4, #ARGV)
local old = read(key)
local before = call('hget', MAP, key)
call('hset', MAP, key, old and bare(old.data) or '0')
if before then
    undo('hset', MAP, key, before)
else
    undo('hdel', MAP, key)
end
local sum = call('hincrbyfloat', MAP, key, delta)
store(key, sum, old)
shrink({key, [key] = true})
return sum
