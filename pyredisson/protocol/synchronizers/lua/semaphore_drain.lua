-- Acquires all free permits of a semaphore.
--
-- KEYS[1] free permits
-- Returns their number; or the stored text, if the text is not a number.
-- Redisson: RedissonSemaphore.drainPermitsAsync, which drops the time to live
local stored = call('get', KEYS[1])
local free = tonumber(stored)
if stored and not free then
    return stored
end
if not free or free < 0 then -- add_permits has taken away more than were free
    return 0
end
call('set', KEYS[1], 0, 'keepttl')
return free
