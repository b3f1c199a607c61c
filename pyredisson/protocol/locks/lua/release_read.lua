-- include: notify
-- include: readers
-- Takes one hold of a read lock from an owner.
-- If then no owner has a hold of either lock, the lock is free, and a waiter is woken. A repeated
-- call changes nothing.
--
-- KEYS[1] lock   KEYS[2] channel   KEYS[3] string of the hold that is taken
-- ARGV[1] message   ARGV[2] prefix of the strings   ARGV[3] owner
-- ARGV[4] number of holds that the owner shall have
-- ARGV[5] command that publishes   ARGV[6] another one, or ''
-- Returns nil if the owner had no hold, or the hold's lease had ended. Else {0} if an owner still
-- has the lock, or {1} if it is free. The error text of a rejected notification follows.
-- Redisson: RedissonReadLock.unlockInnerAsync(long, String, int), without the latch
local lock, shall = KEYS[1], tonumber(ARGV[4])
local mode, holds = call('hget', lock, 'mode'), tonumber(call('hget', lock, ARGV[3]) or 0)
if holds == 0 then
    return nil
end
if holds <= shall then
    return {0}
end
without_memory('pexpire', lock, '')
local alive = call('exists', KEYS[3]) == 1
local left = mode == 'read' and time_left(lock, ARGV[2], ARGV[3], shall)
local free = left == 0
need('del', KEYS[3])
if not free and shall == 0 then
    need('hdel', lock, 'pyredisson_none')
end
if not free and shall > 0 then
    call('hincrby', lock, ARGV[3], -1)
    undo('hincrby', lock, ARGV[3], 1)
end
if left and not free then
    call('pexpire', lock, left)
end
if free then
    remove('del', lock)
elseif shall == 0 then
    remove('hdel', lock, ARGV[3])
end
remove('del', KEYS[3])
local rejection = free and notify(KEYS[2], ARGV[1], ARGV[5], ARGV[6]) or nil
return alive and {free and 1 or 0, rejection} or nil
