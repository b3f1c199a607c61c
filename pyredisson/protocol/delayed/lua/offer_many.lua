-- frame: none
-- Stores new pending items of the same moment, with the same end state as single offers.
-- Publishes the earliest due time if it is that of one of them. Either all are stored, or none and the
-- error is raised. The script does not check that items are new; others need single offers.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel
-- ARGV for each item in turn its due time, epoch ms, and its packed entry
-- Returns nil. If they are stored and only the notification was rejected, returns the server's error
-- text.
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
