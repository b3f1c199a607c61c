-- Starts the leases of locks anew, unless their owners have lost them.
-- Also adds the missing strings of read holds that the owners still have.
--
-- KEYS each lock, followed by the strings of a read lock's holds
-- ARGV lease, ms; then for each lock its owner's field, and the number of those strings
-- Returns for each lock 1; or 0 if the owner does not have it, or if the key has another type.
-- Redisson: LockTask.renew(...) of 4.7.0; RedissonBaseLock.renewExpirationAsync(long) before
local lease, renewed, at, i = tonumber(table.remove(ARGV, 1)), {}, 1, 1
while at <= #KEYS and i < #ARGV do
    local lock, strings = KEYS[at], tonumber(ARGV[i + 1])
    local holds = redis.pcall('hget', lock, ARGV[i])
    if failed(holds) and not string.find(holds.err, 'WRONGTYPE', 1, true) then
        abort(holds.err, 'hget', lock)
    end
    holds = type(holds) == 'string' and tonumber(holds) or 0
    local ttl = holds > 0 and strings > 0 and call('pttl', lock) or -2
    renewed[#renewed + 1] = holds > 0 and 1 or 0
    for key = at + 1, at + math.min(strings, holds) do
        if call('exists', KEYS[key]) == 0 then
            call('set', KEYS[key], '1')
            undo('del', KEYS[key])
        end
        call('pexpire', KEYS[key], lease)
    end
    if holds > 0 and ttl < lease then
        call('pexpire', lock, lease)
    end
    at, i = at + 1 + strings, i + 2
end
return renewed
