-- include: kernel/steps
-- include: records
-- include: returns
-- Requeues messages of which some expire, at the head of their queue, in their order.
-- No program has received these messages. So they can still expire, and do not count as attempts.
--
-- KEYS[1] queue   KEYS[2] leases   KEYS[3] taken   KEYS[4] returned   KEYS[5] expiring
-- KEYS[6] expiries
-- ARGV tokens
-- Returns for each 1 if its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has nothing to release
need('zadd', KEYS[5])
need('zadd', KEYS[6])
return release(KEYS[1], KEYS[2], KEYS[3], KEYS[4], #ARGV, false, function(message)
    local prefix = struct.pack('Bc0', 16, message.token) .. struct.pack('L', #message.value)
    local when = math.abs(message.expires)
    remember(KEYS[6], message, when, prefix)
    add(KEYS[5], when, prefix .. message.value)
end)
