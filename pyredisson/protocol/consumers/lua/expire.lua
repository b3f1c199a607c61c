-- include: kernel/steps
-- include: records
-- include: expiry
-- Dead-letters or drops leased messages that expired before a program received them.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] dead   KEYS[4] dead letters
-- ARGV tokens
-- Returns for each 0 if its lease had ended, 1 if it expired and is a dead letter now, 2 if it has
-- not expired, 3 if it expired and was dropped.
-- Redisson: none; items of RedissonDelayedQueue do not expire
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('zadd', KEYS[3])
need('hset', KEYS[4])
local now, became = server_ms(), {}
without_memory('zrem', KEYS[1], 'pyredisson_none')
for i = 1, #ARGV do
    local record = held(KEYS[1], KEYS[2], ARGV[i], now)
    local message = record and message_of(record)
    became[i] = message and 2 or 0
    if message and has_expired(message, now) then
        became[i] = message.expires > 0 and 1 or 3
        message.attempt = message.attempt - 1
        bury(KEYS[3], KEYS[4], message, now, {})
        end_lease(KEYS[1], KEYS[2], ARGV[i])
    end
end
return became
