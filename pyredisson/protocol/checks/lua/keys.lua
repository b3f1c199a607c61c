-- Reads the type and the time to live of keys.
--
-- KEYS    the keys
-- Returns for each key in turn its type and time to live in ms (-1: no limit, -2: no such key).
-- Redisson: none; RedissonDelayedQueue is not checked
local found = {}
for i = 1, #KEYS do
    found[2 * i - 1] = call('type', KEYS[i]).ok
    found[2 * i] = call('pttl', KEYS[i])
end
return found
