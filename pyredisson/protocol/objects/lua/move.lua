-- Moves the keys of an object to another database.
--
-- KEYS    the keys
-- ARGV[1] database
-- Returns 1 if any key was moved, else 0.
-- Redisson: RedissonObject.moveAsync(int), over all keys instead of the target list
local result = 0
for i = 1, #KEYS do
    result = math.max(result, call('move', KEYS[i], ARGV[1]))
end
return result
