-- include: locks/notify
-- Sets the number of free permits of a semaphore, unless it is set already.
--
-- KEYS[1] free permits   KEYS[2] channel
-- ARGV[1] number of permits   ARGV[2] command that publishes   ARGV[3] another one, or ''
-- Optional ARGV[4] time to live, ms
-- Returns {1} if this call set it, else {0}. The error text of a rejected notification follows.
-- Redisson: RedissonSemaphore.trySetPermitsAsync
if call('get', KEYS[1]) then
    return {0}
end
if ARGV[4] then
    call('set', KEYS[1], ARGV[1], 'px', ARGV[4])
else
    call('set', KEYS[1], ARGV[1])
end
return {1, notify(KEYS[2], ARGV[1], ARGV[2], ARGV[3])}
