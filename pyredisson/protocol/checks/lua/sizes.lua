-- Counts the elements of keys, in one step.
--
-- KEYS    the keys
-- Returns for each key its number of elements, if it is a list, sorted set or hash; else 0.
-- Redisson: none; RedissonDelayedQueue is not checked
local found = {}
for i = 1, #KEYS do
    local kind, size = call('type', KEYS[i]).ok, 0
    if kind == 'list' then
        size = call('llen', KEYS[i])
    elseif kind == 'zset' then
        size = call('zcard', KEYS[i])
    elseif kind == 'hash' then
        size = call('hlen', KEYS[i])
    end
    found[i] = size
end
return found
