-- include: locks/notify
-- Sets the count of a latch, unless it has one.
--
-- KEYS[1] count   KEYS[2] channel
-- ARGV[1] message   ARGV[2] count   ARGV[3] command that publishes   ARGV[4] another one, or ''
-- Returns {1} if the count was set, else {0}. The error text of a rejected notification follows.
-- Redisson: RedissonCountDownLatch.trySetCountAsync
if call('exists', KEYS[1]) == 1 then
    return {0}
end
call('set', KEYS[1], ARGV[2])
return {1, notify(KEYS[2], ARGV[1], ARGV[3], ARGV[4])}
