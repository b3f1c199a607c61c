-- Changes the due time of one pending item. Publishes this time if the item is then the head.
-- The item keeps its position in the delay list, which is in the order of the offers.
--
-- KEYS[1] timeout set   KEYS[2] channel
-- ARGV[1] packed entry   ARGV[2] due, epoch ms
-- Returns nil if the item is not pending, else 1. If the due time is changed and only the
-- notification was rejected, returns the server's error text.
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
