-- include: records
-- include: pending
-- Requeues a message with a delay: it becomes an ordinary pending item.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] retried   KEYS[4] postponed
-- KEYS[5] timeout set   KEYS[6] delay list   KEYS[7] channel
-- ARGV[1] token   ARGV[2] delay, ms   ARGV[3] 1 if the delivery counts, else 0
-- ARGV[4] 8 random bytes of the pending id (decimal text for dLc0)   ARGV[5] format: Bc0Lc0 or dLc0
-- Returns when the message is due, in epoch ms, or 0 if its lease had ended. If the server rejects
-- PUBLISH, the script still succeeds, because each transfer task also polls.
-- Redisson: RedissonDelayedQueue.offerAsync, for the entry and its notification
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('zadd', KEYS[3])
need('zadd', KEYS[4])
need('zadd', KEYS[5])
need('rpush', KEYS[6])
need('zrange', KEYS[5], 0, 0)
local now = server_ms()
local record = held(KEYS[1], KEYS[2], ARGV[1], now)
if not record then
    return 0
end
local message = message_of(record)
local prefix = prefix_of(#message.value, now, ARGV[4], ARGV[5])
local entry = prefix .. message.value
message.due, message.expires = now + ARGV[2], 0
if ARGV[3] == '0' then
    message.attempt = message.attempt - 1
end
without_memory('zrem', KEYS[1], 'pyredisson_none')
add(KEYS[5], message.due, entry)
call('rpush', KEYS[6], entry)
undo('rpop', KEYS[6])
remember(KEYS[3], message, message.due, prefix)
add(KEYS[4], message.due, entry)
end_lease(KEYS[1], KEYS[2], ARGV[1])
announce(KEYS[5], KEYS[7], entry, message.due)
return message.due
