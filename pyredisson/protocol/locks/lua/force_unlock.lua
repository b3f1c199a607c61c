-- include: notify
-- Frees the lock of any owner, and notifies the waiters.
--
-- KEYS[1] lock
-- Optional KEYS[2] channel
-- ARGV[1] message   ARGV[2] command that publishes, or ''   ARGV[3] another one, or ''
-- Optional ARGV[4] mode: a read-write lock of another mode stays
-- Returns {1} if the lock was freed, else {0}. The error text of a rejected notification follows.
-- Redisson: RedissonLock.forceUnlockAsync()
if ARGV[4] and call('hget', KEYS[1], 'mode') ~= ARGV[4] then
    return {0}
end
if call('del', KEYS[1]) == 0 then
    return {0}
end
return {1, notify(KEYS[2], ARGV[1], ARGV[2], ARGV[3])}
