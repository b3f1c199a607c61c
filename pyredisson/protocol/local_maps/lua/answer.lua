-- include: locks/notify
-- Adds a permit to a semaphore.
-- A client of Java waits until all clients with copies have dropped them and added a permit.
-- If the semaphore has no time to live, it gets 60 s.
--
-- KEYS[1] semaphore   KEYS[2] its channel
-- ARGV[1] command that publishes   ARGV[2] another one, or ''
-- Returns the number of permits that the semaphore has now.
-- Redisson: RedissonLocalCachedMap, where another client has called clearLocalCache()
local ttl = call('pttl', KEYS[1])
local permits = call('incrby', KEYS[1], 1)
if ttl == -2 then
    undo('del', KEYS[1])
else
    undo('decrby', KEYS[1], 1)
end
if ttl < 0 then
    call('pexpire', KEYS[1], 60000)
end
notify(KEYS[2], permits, ARGV[1], ARGV[2])
return permits
