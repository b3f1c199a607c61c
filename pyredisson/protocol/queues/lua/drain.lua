-- Pops all elements of a list, or the first ones.
--
-- KEYS[1] list
-- ARGV[1] how many at most; -1 for all
-- Returns the elements.
-- Redisson: RedissonBlockingQueue.drainToAsync(Collection) and drainToAsync(Collection, int)
local limit = tonumber(ARGV[1])
if limit < 0 then
    local elements = call('lrange', KEYS[1], 0, -1)
    call('del', KEYS[1])
    return elements
end
local size = math.min(limit, call('llen', KEYS[1]))
if size == 0 then
    return {}
end
local elements = call('lrange', KEYS[1], 0, size - 1)
call('ltrim', KEYS[1], size, -1)
return elements
