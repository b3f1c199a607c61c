-- include: kernel/clock
-- include: locks/notify
-- include: permits
-- Releases permits whose leases have ended; sets the number of all permits, if given; counts them.
--
-- KEYS[1] free permits   KEYS[2] leases   KEYS[3] channel
-- ARGV[1] command that publishes   ARGV[2] another one, or ''
-- Optional ARGV[3] new number of all permits, free and leased
-- Returns {free permits, leased permits}, or nil if more than MOST leases may have ended. The error
-- text of a rejected notification follows.
-- Redisson: RedissonPermitExpirableSemaphore.availablePermitsAsync, setPermitsAsync and the like
local leased = call('zcard', KEYS[2]) - #ended
local more = ARGV[3] and ARGV[3] - leased - free - #ended or 0
settle(more)
local text
if (#ended > 0 or more ~= 0) and free > 0 then
    text = notify(KEYS[3], free, ARGV[1], ARGV[2])
end
if #ended == MOST then
    return nil
end
return {free, leased, text}
