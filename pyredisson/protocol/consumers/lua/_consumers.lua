-- Stores the name of a consumer for `lasts` ms. `called` has the first 4 bytes of the consumer's
-- tokens, then the name. If the server rejects these commands, the script continues.
local function note_consumer(consumers, now, lasts, called)
    redis.pcall('zadd', consumers, now + lasts, called)
    redis.pcall('zremrangebyscore', consumers, '-inf', now)
    local last = redis.pcall('zrange', consumers, -1, -1, 'withscores')[2]
    if last then
        redis.pcall('pexpireat', consumers, last)
    end
end
