-- Tells of each key what it holds and when it vanishes.
--
-- KEYS    the keys
-- Returns type and time to live (ms, -1 without one, -2 without the key) of each in turn.
-- Redisson: none; RedissonDelayedQueue is not checked
local found = {}
for i = 1, #KEYS do
    found[2 * i - 1] = call('type', KEYS[i]).ok
    found[2 * i] = call('pttl', KEYS[i])
end
return found
