-- frame: none
-- Stores several new items, with the same end state as single offers.
-- Publishes the due time of the head of the timeout set if the head is one of these items. The
-- script does not check that items are new: an item that may be pending needs a single offer.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel
-- ARGV for each item in turn its due time, epoch ms, and its packed entry
-- Returns nil. If the items are stored and only the notification was rejected, returns the server's
-- error text. If RPUSH is rejected, the script removes all items from the timeout set and raises
-- the error. If this removal is rejected, too, the error text has `not undone`.
-- Redisson: RedissonDelayedQueue.offerAsync(V, long, TimeUnit), once for each item
local entries = {}
for i = 2, #ARGV, 2 do
    entries[i / 2] = ARGV[i]
end
local added = redis.pcall('zadd', KEYS[2], unpack(ARGV))
if failed(added) then
    return redis.error_reply(describe_error(added.err, 'zadd', KEYS[2]))
end
local pushed = redis.pcall('rpush', KEYS[3], unpack(entries))
if failed(pushed) then
    local text = describe_error(pushed.err, 'rpush', KEYS[3])
    local removed = redis.pcall('zrem', KEYS[2], unpack(entries))
    if failed(removed) then
        text = text .. '; not undone: ' .. describe_error(removed.err, 'zrem', KEYS[2])
    end
    return redis.error_reply(text)
end
local head = redis.pcall('zrange', KEYS[2], 0, 0)
if head.err then
    return describe_error(head.err, 'zrange', KEYS[2])
end
for i = 1, #entries do
    if entries[i] == head[1] then
        local published = redis.pcall('publish', KEYS[4], ARGV[2 * i - 1])
        if failed(published) then
            return describe_error(published.err, 'publish', KEYS[4])
        end
        break
    end
end
return nil
