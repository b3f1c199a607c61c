-- frame: none
-- Stores one pending item, and publishes its due time if the item is the head of the timeout set.
-- If the entry is already pending, the script adds nothing, and only sets its due time.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel
-- ARGV[1] due, epoch ms   ARGV[2] id (raw bytes; decimal text for dLc0)
-- ARGV[3] value bytes   ARGV[4] format: Bc0Lc0 or dLc0
-- Returns nil. If the item is stored and only the notification was rejected, returns the server's
-- error text. If RPUSH is rejected, the script removes the item from the timeout set and raises
-- the error. If this removal is rejected, too, the error text has `not undone`.
-- Redisson: RedissonDelayedQueue.offerAsync(V, long, TimeUnit)
local entry
if ARGV[4] == 'dLc0' then
    entry = struct.pack('dLc0', tonumber(ARGV[2]), string.len(ARGV[3]), ARGV[3])
else
    entry = struct.pack('Bc0Lc0', string.len(ARGV[2]), ARGV[2], string.len(ARGV[3]), ARGV[3])
end
local added = redis.pcall('zadd', KEYS[2], ARGV[1], entry)
if failed(added) then
    return redis.error_reply(describe_error(added.err, 'zadd', KEYS[2]))
end
if added == 1 then
    local pushed = redis.pcall('rpush', KEYS[3], entry)
    if failed(pushed) then
        local text = describe_error(pushed.err, 'rpush', KEYS[3])
        local removed = redis.pcall('zrem', KEYS[2], entry)
        if failed(removed) then
            text = text .. '; not undone: ' .. describe_error(removed.err, 'zrem', KEYS[2])
        end
        return redis.error_reply(text)
    end
end
local head = redis.pcall('zrange', KEYS[2], 0, 0)
if head.err then
    return describe_error(head.err, 'zrange', KEYS[2])
end
if head[1] == entry then
    local published = redis.pcall('publish', KEYS[4], ARGV[1])
    if failed(published) then
        return describe_error(published.err, 'publish', KEYS[4])
    end
end
return nil
