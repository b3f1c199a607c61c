-- Replaces or removes an entry of a schedule, and offers the occurrences of the replacement.
-- If the stored entry is not the entry that was read, nothing happens.
-- Commands that add run first: a server without memory rejects only the first write of a script.
--
-- KEYS[1] timeout set   KEYS[2] delay list   KEYS[3] channel   KEYS[4] entries   KEYS[5] times
-- ARGV  the entry's name, the record that was read ('' for none), the record to store ('' to remove
--       the entry), the due time of its last occurrence, and the pending entry to cancel ('' for
--       none); then for each occurrence its due time and packed entry
-- Returns 1 if the entry was replaced or removed, 0 if the stored entry was not the entry read. If
-- only the notification was rejected, returns the server's error text.
-- Redisson: none; RedissonDelayedQueue.offer stores each item likewise
local name, known, record, due, entry = unpack(ARGV, 1, 5)
if (call('hget', KEYS[4], name) or '') ~= known then
    return 0
end
local before = call('zscore', KEYS[5], name)
local back = entry ~= '' and call('zscore', KEYS[1], entry)
if back then
    need('lrem', KEYS[2], 'none', '')
    need('zrem', KEYS[1], 'pyredisson_none')
end
if record == '' then
    need('zrem', KEYS[5], 'pyredisson_none')
    need('hdel', KEYS[4], 'pyredisson_none')
end
local offered = {}
for i = 6, #ARGV, 2 do
    if call('zadd', KEYS[1], ARGV[i], ARGV[i + 1]) == 1 then
        undo('zrem', KEYS[1], ARGV[i + 1])
        call('rpush', KEYS[2], ARGV[i + 1])
        undo('lrem', KEYS[2], -1, ARGV[i + 1])
    end
    offered[ARGV[i + 1]] = ARGV[i]
end
if record ~= '' then
    call('zadd', KEYS[5], due, name)
    if before then
        undo('zadd', KEYS[5], before, name)
    else
        undo('zrem', KEYS[5], name)
    end
    call('hset', KEYS[4], name, record)
    if known ~= '' then
        undo('hset', KEYS[4], name, known)
    else
        undo('hdel', KEYS[4], name)
    end
end
if back then
    call('lrem', KEYS[2], -1, entry)
    call('zrem', KEYS[1], entry)
end
if record == '' then
    call('zrem', KEYS[5], name)
    call('hdel', KEYS[4], name)
end
if #ARGV > 5 then
    local head = redis.pcall('zrange', KEYS[1], 0, 0)
    if head.err then
        return describe_error(head.err, 'zrange', KEYS[1])
    end
    if offered[head[1]] then
        local published = redis.pcall('publish', KEYS[3], offered[head[1]])
        if failed(published) then
            return describe_error(published.err, 'publish', KEYS[3])
        end
    end
end
return 1
