-- include: notify
-- include: kernel/clock
-- include: waiters
-- Takes one hold of a fair lock from an owner. After its last hold the next waiter is woken.
-- An owner that waits is removed from the queue. A repeated call only starts the lease anew.
--
-- KEYS[1] lock   KEYS[2] queue   KEYS[3] times of death of the waiters
-- ARGV[1] message   ARGV[2] lease, ms   ARGV[3] owner, or '' for any owner
-- ARGV[4] number of holds that the owner shall have
-- ARGV[5] command that publishes   ARGV[6] another one, or ''
-- ARGV[7] prefix of the waiters' channels
-- ARGV[8] time after which a waiter without another attempt counts as dead, ms
-- Returns nil if the owner had no hold, {0} if it still has one, or {1} if the lock is free. The
-- error text of a rejected notification follows.
-- Redisson: RedissonFairLock.unlockInnerAsync(long, String, int), without the latch
local lock, queue, times, me = KEYS[1], KEYS[2], KEYS[3], ARGV[3]
local shall, wait, now = tonumber(ARGV[4]), tonumber(ARGV[8]), server_ms()
local holds = me == '' and call('exists', lock) or tonumber(call('hget', lock, me) or 0)
without_memory('pexpire', lock, '')
local function wake(waiter)
    return waiter and notify(ARGV[7] .. ':' .. waiter, ARGV[1], ARGV[5], ARGV[6]) or nil
end
if holds == 0 then
    local place = call('lpos', queue, me)
    if place then
        local behind = call('lrange', queue, place + 1, place + MANY)
        local free = call('exists', lock) == 0
        need('lrem', queue, 0, me)
        need('zrem', times, 'pyredisson_none')
        advance(times, behind, wait, now)
        remove('lrem', queue, 0, me)
        remove('zrem', times, me)
        if free then
            wake(behind[1])
        end
    end
    return nil
end
if shall > 0 then
    if holds > shall then
        call('hincrby', lock, me, -1)
        undo('hincrby', lock, me, 1)
    end
    call('pexpire', lock, ARGV[2])
    return {0}
end
local dead, head = dead_waiters(queue, times, now, '')
need('del', lock)
need_to_forget(queue, times)
forget_waiters(queue, times, dead)
remove('del', lock)
return {1, wake(head)}
