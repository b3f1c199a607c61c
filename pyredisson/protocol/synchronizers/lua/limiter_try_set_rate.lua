-- include: rate
-- Sets the rate of a rate limiter, unless it has one. An incomplete rate is replaced.
--
-- KEYS[1] rate
-- ARGV[1] permits per interval   ARGV[2] interval, ms
-- ARGV[3] type: 0 for all clients together, 1 for each client
-- ARGV[4] time to live after each attempt, ms; 0 for no limit
-- Returns 1 if the rate was set, else 0.
-- Redisson: RedissonRateLimiter.trySetRateAsync
if known[1] and known[2] and known[4] then
    return 0
end
set_rate()
return 1
