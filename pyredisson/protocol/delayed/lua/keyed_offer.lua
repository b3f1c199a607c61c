-- include: times
-- include: near
-- include: dedup
-- Offers an item with a dedup key. If an item with this key is pending, ARGV[4] names the action.
-- An item is pending if its entry has a score. So each client that transfers or removes an item
-- frees the item's key.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel
-- KEYS[5] dedup keys
-- ARGV[1] due, epoch ms   ARGV[2] packed entry   ARGV[3] dedup key
-- ARGV[4] ignore: the pending item stays; replace: the offered item replaces it; extend: the
-- pending item stays, with the later of both times; earliest: it stays, with the earlier time
-- ARGV[5] the maximum number of waiting items, pending and in the target list, or inf; has no
-- effect if an item with the same key is pending
-- Returns {entry of the pending item that stays, or false if the offered item is stored; the score
-- of that item; if only the notification was rejected, the server's error text}. If the queue has
-- no room, the script stores nothing, and the reply is {how many items wait}.
-- Redisson: RedissonDelayedQueue.offerAsync(V, long, TimeUnit) for a new item; it has no dedup keys
local SOME, MANY = 4, 1000
local due, entry, key, rule = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local function announced(head)
    local first = redis.pcall('zrange', KEYS[2], 0, 0)
    if first.err then
        return describe_error(first.err, 'zrange', KEYS[2])
    end
    local published = first[1] == head and redis.pcall('publish', KEYS[4], due)
    return failed(published) and describe_error(published.err, 'publish', KEYS[4]) or nil
end
local known = call('hget', KEYS[5], key)
local score = known and call('zscore', KEYS[2], known)
if score and (rule ~= 'replace' or known == entry) then
    local later = tonumber(due) - tonumber(score)
    if rule == 'extend' and later > 0 or rule == 'earliest' and later < 0 then
        call('zadd', KEYS[2], due, known)
        return {known, due, announced(known)}
    end
    return {known, score}
end
need('zadd', KEYS[2])
need('zrem', KEYS[2], 'pyredisson_none')
need('rpush', KEYS[3])
need('lrem', KEYS[3], 'none', '')
need('hset', KEYS[5])
need('hdel', KEYS[5], 'pyredisson_none')
local pending, size, keys = call('zcard', KEYS[2]), call('llen', KEYS[3]), call('hlen', KEYS[5])
local waiting = ARGV[5] ~= 'inf' and pending + call('llen', KEYS[1])
if waiting and not score and waiting >= tonumber(ARGV[5]) then
    return {waiting}
end
local near = score and end_near(KEYS[3], size, known)
local left = {}
if keys > (known and pending + 1 or pending) then
    left = keys_left(KEYS[5], KEYS[2], pending > 0 and SOME or MANY, key)
end
call('zadd', KEYS[2], due, entry)
undo('zrem', KEYS[2], entry)
call('rpush', KEYS[3], entry)
undo('lrem', KEYS[3], -1, entry)
call('hset', KEYS[5], key, entry)
if known then
    undo('hset', KEYS[5], key, known)
else
    undo('hdel', KEYS[5], key)
end
if #left > 0 then
    call('hdel', KEYS[5], unpack(left))
end
if score then
    call('lrem', KEYS[3], near, known)
    call('zrem', KEYS[2], known)
end
return {false, due, announced(entry)}
