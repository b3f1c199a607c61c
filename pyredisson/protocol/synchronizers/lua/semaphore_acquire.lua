-- Acquires permits of a semaphore, if enough are free.
--
-- KEYS[1] free permits
-- ARGV[1] number of permits
-- Returns 1 if they are acquired, else 0; or the stored text, if the text is not a number.
-- Redisson: RedissonSemaphore.tryAcquireAsync
local stored = call('get', KEYS[1])
local free = tonumber(stored)
if stored and not free then
    return stored
end
if not free or free < tonumber(ARGV[1]) then
    return 0
end
call('decrby', KEYS[1], ARGV[1])
return 1
