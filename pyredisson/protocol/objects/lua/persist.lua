-- Removes the time to live of all keys of an object.
--
-- KEYS    the keys
-- Returns 1 if any key had a time to live, else 0.
-- Redisson: RedissonExpirable.clearExpireAsync over several keys
local result = 0
for i = 1, #KEYS do
    result = math.max(result, call('persist', KEYS[i]))
end
return result
