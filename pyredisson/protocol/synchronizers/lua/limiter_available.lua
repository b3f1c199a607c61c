-- include: kernel/clock
-- include: log
-- include: limiter
-- Counts the free permits of a rate limiter, and removes entries that are over.
--
-- KEYS[1] rate   KEYS[2] free permits   KEYS[3] free permits of this client
-- KEYS[4] log   KEYS[5] log of this client
-- Returns the number, nil if more than MOST entries may be over, or -1 if the limiter has no rate.
-- Redisson: RedissonRateLimiter.availablePermitsAsync, by the server's clock
store(free)
return #over < MOST and free or nil
