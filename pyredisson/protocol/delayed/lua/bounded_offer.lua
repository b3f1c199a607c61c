-- include: consumers/records
-- Stores the first of several items, as many as the queue has room for.
-- Pending items and the elements of the target list take room. An item that is already pending
-- needs no room and stays unchanged. If the head is an item that this script added, publishes its
-- due time.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel
-- KEYS[5] expiring   KEYS[6] expiries
-- ARGV the maximum number of waiting items; how long after their due time the items expire, ms, or
--      0; 1 to drop expired items, else 0; for each item in turn its due time, epoch ms, and its
--      packed entry
-- Returns {how many of the items, from the first on, are pending now; how many items waited before;
-- if only the notification was rejected, also the server's error text}.
-- Redisson: RedissonDelayedQueue.offerAsync(V, long, TimeUnit), once for each item that is stored
local most, lasts, dropped = unpack(ARGV, 1, 3)
local waiting = call('zcard', KEYS[2]) + call('llen', KEYS[1])
local room, there, words, new, due = most - waiting, 0, {}, {}, {}
for i = 4, #ARGV, 2 do
    local entry = ARGV[i + 1]
    if not call('zscore', KEYS[2], entry) then
        if #new >= room then
            break
        end
        new[#new + 1], due[entry] = entry, ARGV[i]
        words[#words + 1], words[#words + 2] = ARGV[i], entry
    end
    there = there + 1
end
if #new == 0 then
    return {there, waiting}
end
for i = 1, lasts ~= '0' and #new or 0 do
    local prefix, value = halves(new[i])
    local expires = due[new[i]] + lasts
    local message = {
        id = #prefix == 25 and string.sub(prefix, 2, 17) or prefix, value = value,
        attempt = 0, first = 0, due = due[new[i]], expires = dropped == '1' and -expires or expires
    }
    remember(KEYS[6], message, expires, prefix)
    add(KEYS[5], expires, new[i])
end
call('zadd', KEYS[2], unpack(words))
undo('zrem', KEYS[2], unpack(new))
call('rpush', KEYS[3], unpack(new))
local head = redis.pcall('zrange', KEYS[2], 0, 0)
if head.err then
    return {there, waiting, describe_error(head.err, 'zrange', KEYS[2])}
end
if due[head[1]] then
    local published = redis.pcall('publish', KEYS[4], due[head[1]])
    if failed(published) then
        return {there, waiting, describe_error(published.err, 'publish', KEYS[4])}
    end
end
return {there, waiting}
