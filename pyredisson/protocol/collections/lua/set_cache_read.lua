-- include: kernel/clock
-- Reads the values that have not expired.
--
-- KEYS[1] sorted set of times, ms
-- Returns the values.
-- Redisson: RedissonSetCache.readAllAsync()
local now = server_ms()
return call('zrangebyscore', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
