-- include: kernel/clock
-- Counts the values that have not expired.
--
-- KEYS[1] sorted set of times, ms
-- Returns their number.
-- Redisson: RedissonSetCache.sizeAsync()
local now = server_ms()
return call('zcount', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
