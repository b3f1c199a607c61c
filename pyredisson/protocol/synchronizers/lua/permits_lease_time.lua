-- include: kernel/clock
-- Reads the time until the lease of a permit ends.
--
-- KEYS[1] leases
-- ARGV[1] id
-- Returns milliseconds, -1 if the lease has no end, or nil if the permit is not leased.
-- Redisson: RedissonPermitExpirableSemaphore.getLeaseTimeAsync, by the server's clock
local score, now = tonumber(call('zscore', KEYS[1], ARGV[1])), server_ms()
if not score or score <= now then
    return nil
end
return score == 922337203685477 and -1 or score - now
