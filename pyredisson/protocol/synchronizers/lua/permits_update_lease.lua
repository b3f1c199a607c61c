-- include: kernel/clock
-- Starts the lease of a permit anew, unless the lease has ended.
--
-- KEYS[1] leases
-- ARGV[1] id   ARGV[2] lease, ms
-- Returns 1, or 0 if the permit is not leased.
-- Redisson: RedissonPermitExpirableSemaphore.updateLeaseTimeAsync, by the server's clock
local score, now = call('zscore', KEYS[1], ARGV[1]), server_ms()
if not score or tonumber(score) <= now then
    return 0
end
without_memory('zrem', KEYS[1], 'pyredisson_none')
call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
return 1
