-- include: kernel/clock
-- include: waiters
-- Takes a fair lock for an owner if it is the owner's turn; else the owner waits as ARGV[5] says.
-- A repeated call only starts the lease anew, or delays the owner's time of death.
--
-- KEYS[1] lock   KEYS[2] queue   KEYS[3] times of death of the waiters
-- ARGV[1] lease, ms   ARGV[2] owner   ARGV[3] number of holds that the owner shall have
-- ARGV[4] time after which a waiter without another attempt counts as dead, ms
-- ARGV[5] where the owner joins the queue: last, first (after its removal as dead), '' for nowhere
-- Returns nil if the owner has the lock. Else the milliseconds of the lock's time to live (-1: no
-- limit), or, if the lock is free, until the first waiter counts as dead. If the owner has lost its
-- earlier holds, it does not get the lock: the reply is -2 if the lock is free.
-- Redisson: RedissonFairLock.tryLockInnerAsync(long, long, TimeUnit, long, RedisStrictCommand)
local lock, queue, times, me = KEYS[1], KEYS[2], KEYS[3], ARGV[2]
local lease, shall, wait = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local ttl, holds, now = call('pttl', lock), tonumber(call('hget', lock, me) or 0), server_ms()
if holds > 0 or shall > 1 then
    if holds < shall - 1 then
        return ttl
    end
    if holds < shall then
        call('hincrby', lock, me, 1)
        undo('hincrby', lock, me, -1)
    end
    call('pexpire', lock, lease)
    return nil
end
local ends, place = call('zscore', times, me), ARGV[5]
local there = ends and call('lpos', queue, me)
local dead, head = {}, me
if place ~= 'first' or there then
    dead, head = dead_waiters(queue, times, now, me)
end
if ttl == -2 and (not head or head == me) then
    need_to_forget(queue, times)
    call('hset', lock, me, 1)
    undo('del', lock)
    call('pexpire', lock, lease)
    if there then
        dead[#dead + 1] = me
    end
    if head then
        advance(times, call('lrange', queue, #dead, #dead + MANY), wait, now, now + lease)
    end
    forget_waiters(queue, times, dead)
    return nil
end
local turn = head and tonumber(call('zscore', times, head) or 0) - now
if place ~= '' then
    local last = call('lindex', queue, -1)
    local after = last and tonumber(call('zscore', times, last) or 0) or 0
    need_to_forget(queue, times)
    if there then
        call('zadd', times, math.max(tonumber(ends), now + wait), me)
        undo('zadd', times, ends, me)
    else
        call('zadd', times, (place == 'first' and now or math.max(now, after)) + wait, me)
        undo('zrem', times, me)
        if place == 'first' then
            call('lpush', queue, me)
        else
            call('rpush', queue, me)
        end
        undo('lrem', queue, 1, me)
    end
    forget_waiters(queue, times, dead)
end
return ttl == -2 and math.max(turn, 1) or ttl
