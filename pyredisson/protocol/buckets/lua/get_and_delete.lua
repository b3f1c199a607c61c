-- Deletes a value and returns it.
--
-- KEYS[1] value
-- Returns the value, or nil.
-- Redisson: RedissonBucket.getAndDeleteAsync()
local old = call('get', KEYS[1])
call('del', KEYS[1])
return old
