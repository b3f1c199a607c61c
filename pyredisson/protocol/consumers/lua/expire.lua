-- include: records
-- include: expiry
-- Buries or drops messages that have expired before anybody had them.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] dead   KEYS[4] dead letters
-- ARGV tokens
-- Returns for each 2 when it has not expired, 1 when it has and is a dead letter, 3 when it has and is
-- dropped, 0 when its lease had ended.
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
