-- Gives one pending item another time, and announces it when it is the next to be due.
-- The list is in the order of the offers and knows no times: the item stays where it is.
--
-- KEYS[1] timeout set   KEYS[2] channel
-- ARGV[1] packed member   ARGV[2] due, epoch ms
-- Returns nil when it is not pending, else 1; or, when its time is changed and only the notification
-- was refused, the server's error text.
-- Redisson: none; RedissonDelayedQueue.offer publishes likewise
if not call('zscore', KEYS[1], ARGV[1]) then
    return nil
end
call('zadd', KEYS[1], ARGV[2], ARGV[1])
local head = redis.pcall('zrange', KEYS[1], 0, 0)
if head.err then
    return describe_error(head.err, 'zrange', KEYS[1])
end
if head[1] == ARGV[1] then
    local published = redis.pcall('publish', KEYS[2], ARGV[2])
    if failed(published) then
        return describe_error(published.err, 'publish', KEYS[2])
    end
end
return 1
