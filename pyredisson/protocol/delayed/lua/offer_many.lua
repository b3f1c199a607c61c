-- frame: none
-- Stores new pending items that wait at the same moment: the end state of as many single offers.
-- The earliest of all is announced when it is one of them. All are stored, or none and the error
-- raised. That an item is new is not looked at: what may be there already goes by the single offer.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel
-- ARGV due, epoch ms, and packed member of each item in turn
-- Returns nil; or, when they are stored and only the notification was refused, the server's error
-- text.
-- Redisson: RedissonDelayedQueue.offerAsync(V, long, TimeUnit), once for each item
local members = {}
for i = 2, #ARGV, 2 do
    members[i / 2] = ARGV[i]
end
local added = redis.pcall('zadd', KEYS[2], unpack(ARGV))
if failed(added) then
    return redis.error_reply(describe_error(added.err, 'zadd', KEYS[2]))
end
local pushed = redis.pcall('rpush', KEYS[3], unpack(members))
if failed(pushed) then
    local text = describe_error(pushed.err, 'rpush', KEYS[3])
    local removed = redis.pcall('zrem', KEYS[2], unpack(members))
    if failed(removed) then
        text = text .. '; not undone: ' .. describe_error(removed.err, 'zrem', KEYS[2])
    end
    return redis.error_reply(text)
end
local head = redis.pcall('zrange', KEYS[2], 0, 0)
if head.err then
    return describe_error(head.err, 'zrange', KEYS[2])
end
for i = 1, #members do
    if members[i] == head[1] then
        local published = redis.pcall('publish', KEYS[4], ARGV[2 * i - 1])
        if failed(published) then
            return describe_error(published.err, 'publish', KEYS[4])
        end
        break
    end
end
return nil
