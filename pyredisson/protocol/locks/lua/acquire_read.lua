-- Takes a read lock for an owner, unless another owner has the write lock.
-- A repeated call only starts the leases anew.
--
-- KEYS lock; then a string for each hold that the owner shall have
-- ARGV[1] lease, ms   ARGV[2] owner   ARGV[3] the owner's field of the write lock
-- Returns nil if the owner has the lock, else the milliseconds of the lock's time to live (-1: no
-- limit). If the owner has lost its earlier holds, it does not get the lock: the reply is -2 if the
-- lock is free.
-- Redisson: RedissonReadLock.tryLockInnerAsync(long, long, TimeUnit, long, RedisStrictCommand)
local lock, holds = table.remove(KEYS, 1), 0
local shall = #KEYS
local mode, ttl = call('hget', lock, 'mode'), call('pttl', lock)
if mode == 'read' or mode and call('hexists', lock, ARGV[3]) == 1 then
    holds = tonumber(call('hget', lock, ARGV[2]) or 0)
elseif ttl ~= -2 then
    return ttl
end
if holds < shall - 1 then
    return ttl
end
if not mode then
    call('hset', lock, 'mode', 'read')
    undo('del', lock)
end
if holds < shall then
    call('hincrby', lock, ARGV[2], 1)
    undo(function()
        if mode and holds == 0 then
            call('hdel', lock, ARGV[2])
        elseif mode then
            call('hincrby', lock, ARGV[2], -1)
        end
    end)
end
for i = 1, shall do
    call('set', KEYS[i], '1')
    if i > holds then
        undo('del', KEYS[i])
    end
    call('pexpire', KEYS[i], ARGV[1])
end
call('pexpire', lock, math.max(ttl, tonumber(ARGV[1])))
return nil
