-- include: kernel/clock
-- Checks which values are in a set and have not expired.
--
-- KEYS[1] sorted set of times, ms
-- ARGV    value bytes, one or more
-- Returns 1 or 0 for each value.
-- Redisson: RedissonSetCache.containsAsync(Object), containsAllAsync(Collection)
local now = server_ms()
local found = {}
for i = 1, #ARGV do
    found[i] = tonumber(call('zscore', KEYS[1], ARGV[i]) or 0) > now and 1 or 0
end
return found
