-- include: locks/notify
-- Reduces the count of a latch by 1. At 0 the latch opens, and all waiters wake.
--
-- KEYS[1] count   KEYS[2] channel
-- ARGV[1] message   ARGV[2] command that publishes   ARGV[3] another one, or ''
-- Returns {new count}, or {the stored text} if the text is not a number. The error text of a
-- rejected notification follows.
-- Redisson: RedissonCountDownLatch.countDownAsync
local stored = call('get', KEYS[1])
local count = tonumber(stored)
if stored and not count then
    return {stored}
end
if not count then
    return {0}
end
without_memory('pexpire', KEYS[1], '')
if count > 1 then
    return {call('decr', KEYS[1])}
end
call('del', KEYS[1])
return {0, notify(KEYS[2], ARGV[1], ARGV[2], ARGV[3])}
