-- include: notify
-- Takes one hold from an owner. After its last hold the lock is free, and a waiter is woken.
-- A repeated call only starts the lease anew.
--
-- KEYS[1] lock
-- Optional KEYS[2] channel
-- ARGV[1] message   ARGV[2] lease, ms   ARGV[3] owner
-- ARGV[4] number of holds that the owner shall have
-- ARGV[5] command that publishes, or ''   ARGV[6] another one, or ''
-- Returns nil if the owner had no hold, {0} if it still has one, or {1} if the lock is free. The
-- error text of a rejected notification follows.
-- Redisson: RedissonLock.unlockInnerAsync(long, String, int), without the latch
if call('hexists', KEYS[1], ARGV[3]) == 0 then
    return nil
end
without_memory('pexpire', KEYS[1], '')
local shall = tonumber(ARGV[4])
if shall > 0 then
    if tonumber(call('hget', KEYS[1], ARGV[3])) > shall then
        call('hincrby', KEYS[1], ARGV[3], -1)
        undo('hincrby', KEYS[1], ARGV[3], 1)
    end
    call('pexpire', KEYS[1], ARGV[2])
    return {0}
end
call('del', KEYS[1])
return {1, notify(KEYS[2], ARGV[1], ARGV[5], ARGV[6])}
