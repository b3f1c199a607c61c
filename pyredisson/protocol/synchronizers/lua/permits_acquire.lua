-- include: kernel/clock
-- include: locks/notify
-- include: permits
-- Leases permits, all or none. While they are leased, a repeated call changes nothing.
--
-- KEYS[1] free permits   KEYS[2] leases   KEYS[3] channel
-- ARGV lease, ms; 0 for no end; command that publishes; another one, or ''; then the ids
-- Returns nil if they are leased. Else the milliseconds until enough leases end (below 0 if these
-- have ended, and the script has not released all of them), or -1 if too few leases have an end.
-- Redisson: RedissonPermitExpirableSemaphore.tryAcquireAsync, by the server's clock
local lease, publish, other = table.remove(ARGV, 1), table.remove(ARGV, 1), table.remove(ARGV, 1)
local count = #ARGV
if call('zscore', KEYS[2], (unpack(ARGV, 1, 1))) then
    return nil
end
local wait
if free + #ended < count then
    local place = count - free - 1 -- of the lease that ends last of those that must end
    local last = call('zrange', KEYS[2], place, place, 'withscores')
    wait = tonumber(last[2]) ~= NEVER and last[2] and last[2] - now or -1
else
    for i = 1, count do
        call('zadd', KEYS[2], lease == '0' and NEVER or now + lease, ARGV[i])
        undo('zrem', KEYS[2], ARGV[i])
    end
end
settle(wait and 0 or -count)
local left = call('pttl', KEYS[1])
if left > 0 then
    call('pexpire', KEYS[2], left)
end
if #ended > 0 and free > 0 then
    notify(KEYS[3], free, publish, other)
end
return wait
