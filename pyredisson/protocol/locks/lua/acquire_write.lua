-- Takes a write lock for an owner, unless another owner has it or any owner reads.
-- But an owner that has the write lock takes another hold, also while it reads. A repeated call
-- only starts the lease anew.
--
-- KEYS[1] lock
-- ARGV[1] lease, ms   ARGV[2] the owner's field   ARGV[3] number of holds that the owner shall have
-- Returns nil if the owner has the lock, else the milliseconds of the lock's time to live (-1: no
-- limit). If the owner has lost its earlier holds, it does not get the lock: the reply is -2 if the
-- lock is free.
-- Redisson: RedissonWriteLock.tryLockInnerAsync(long, long, TimeUnit, long, RedisStrictCommand)
local lock, shall, lease, holds = KEYS[1], tonumber(ARGV[3]), tonumber(ARGV[1]), 0
local mode, ttl = call('hget', lock, 'mode'), call('pttl', lock)
if mode == 'write' then
    holds = tonumber(call('hget', lock, ARGV[2]) or 0)
end
if holds == 0 and ttl ~= -2 or holds < shall - 1 then
    return ttl
end
if holds == 0 then
    call('hset', lock, 'mode', 'write')
    undo('del', lock)
    call('hset', lock, ARGV[2], 1)
elseif holds < shall then
    call('hincrby', lock, ARGV[2], 1)
    undo('hincrby', lock, ARGV[2], -1)
end
if holds == 0 or call('hlen', lock) == 2 or ttl < lease then
    call('pexpire', lock, lease)
end
return nil
