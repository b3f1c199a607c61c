-- include: member
-- Moves due items to the target list, earliest first.
-- Each chunk is pushed before it is forgotten, so an error loses nothing and doubles nothing;
-- what cannot be read goes to the poison list instead of stopping those behind it.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] poison list
-- ARGV[1] now, epoch ms   ARGV[2] how many at most
-- Returns the score of the head that is left, or nil; with poison: {score or false, how many}.
-- Redisson: RedissonDelayedQueue's QueueTransferTask.pushTaskAsync
local CHUNK = 500
local poison = 0
local due = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', 0, ARGV[2])
for first = 1, #due, CHUNK do
    local last = math.min(first + CHUNK - 1, #due)
    local values, bad = {}, {}
    for i = first, last do
        local value = value_of(due[i])
        if value then
            values[#values + 1] = value
        else
            bad[#bad + 1] = due[i]
        end
    end
    if #bad > 0 then
        redis.call('rpush', KEYS[4], unpack(bad))
        poison = poison + #bad
    end
    if #values > 0 then
        redis.call('rpush', KEYS[1], unpack(values))
    end
    for i = first, last do
        redis.call('lrem', KEYS[3], 1, due[i])
    end
    redis.call('zrem', KEYS[2], unpack(due, first, last))
end
local head = redis.call('zrange', KEYS[2], 0, 0, 'WITHSCORES')
if poison > 0 then
    return {head[2] or false, poison}
end
return head[2] or nil
