-- Stores the name of a consumer for a limited time. `called` is the 4 bytes that its tokens begin with,
-- then its name. If this is rejected, the script goes on.
local function note_consumer(consumers, now, lasts, called)
    redis.pcall('zadd', consumers, now + lasts, called)
    redis.pcall('zremrangebyscore', consumers, '-inf', now)
    local last = redis.pcall('zrange', consumers, -1, -1, 'withscores')[2]
    if last then
        redis.pcall('pexpireat', consumers, last)
    end
end
