-- Notes for a while how a consumer is called. `called` is what its tokens begin with (4 bytes), and its
-- name. Where that is refused nothing else is.
local function note_consumer(consumers, now, lasts, called)
    redis.pcall('zadd', consumers, now + lasts, called)
    redis.pcall('zremrangebyscore', consumers, '-inf', now)
    local last = redis.pcall('zrange', consumers, -1, -1, 'withscores')[2]
    if last then
        redis.pcall('pexpireat', consumers, last)
    end
end
