-- Takes a lock for an owner, unless another owner has it.
-- A repeated call only starts the lease anew.
--
-- KEYS[1] lock
-- Optional KEYS[2] counter of fencing tokens
-- ARGV[1] lease, ms   ARGV[2] owner   ARGV[3] number of holds that the owner shall have
-- Returns nil if the owner has the lock, or {token} if KEYS[2] is given. Else the milliseconds of
-- the lock's time to live (-1: no limit). If the owner has lost its earlier holds, it does not get
-- the lock: the reply is -2 if the lock is free.
-- Redisson: RedissonLock.tryLockInnerAsync(long, long, TimeUnit, long, RedisStrictCommand)
local holds, token = 0, nil
if call('exists', KEYS[1]) == 1 then
    if call('hexists', KEYS[1], ARGV[2]) == 0 then
        return call('pttl', KEYS[1])
    end
    holds = tonumber(ARGV[3]) == 1 and 1 or tonumber(call('hget', KEYS[1], ARGV[2]))
    token = KEYS[2] and {tonumber(call('get', KEYS[2]) or 0)}
elseif ARGV[3] ~= '1' then
    return -2
end
if holds < tonumber(ARGV[3]) then
    call('hincrby', KEYS[1], ARGV[2], 1)
    undo(function()
        if holds == 0 then
            call('del', KEYS[1])
        else
            call('hincrby', KEYS[1], ARGV[2], -1)
        end
    end)
end
call('pexpire', KEYS[1], ARGV[1])
if KEYS[2] and holds == 0 then
    token = {call('incr', KEYS[2])}
end
return token
