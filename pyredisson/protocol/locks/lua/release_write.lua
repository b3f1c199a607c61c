-- include: notify
-- include: readers
-- Takes one hold of a write lock from an owner.
-- After its last hold, the lock is free, or its owner only reads. In both cases all waiters are
-- woken. A repeated call only starts the lease anew.
--
-- KEYS[1] lock   KEYS[2] channel
-- ARGV[1] message   ARGV[2] lease, ms   ARGV[3] the owner's field
-- ARGV[4] number of holds that the owner shall have
-- ARGV[5] command that publishes   ARGV[6] another one, or ''   ARGV[7] prefix of the strings
-- Returns nil if the owner had no hold, {0} if it still has one, or {1} if the write lock is free.
-- The error text of a rejected notification follows.
-- Redisson: RedissonWriteLock.unlockInnerAsync(long, String, int), without the latch
local lock, shall = KEYS[1], tonumber(ARGV[4])
local holds = tonumber(call('hget', lock, ARGV[3]) or 0)
if holds == 0 then
    return nil
end
without_memory('pexpire', lock, '')
if shall > 0 then
    if holds > shall then
        call('hincrby', lock, ARGV[3], -1)
        undo('hincrby', lock, ARGV[3], 1)
    end
    if call('hlen', lock) == 2 or call('pttl', lock) < tonumber(ARGV[2]) then
        call('pexpire', lock, ARGV[2])
    end
    return {0}
end
local left = call('hlen', lock) > 2 and time_left(lock, ARGV[7], '', 0) or 0
if left == 0 then
    call('del', lock)
else
    local ttl = call('pttl', lock)
    need('hdel', lock, 'pyredisson_none')
    call('hset', lock, 'mode', 'read')
    undo('hset', lock, 'mode', 'write')
    if left > ttl and ttl ~= -1 then
        call('pexpire', lock, left)
    end
    call('hdel', lock, ARGV[3])
end
return {1, notify(KEYS[2], ARGV[1], ARGV[5], ARGV[6])}
