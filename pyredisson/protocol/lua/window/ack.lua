-- include: consumer/records
-- include: delayed_queue/member
-- include: groups
-- include: dropped
-- Forgets messages for good, and the groups that they stood for.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] open   KEYS[4] groups
-- ARGV tokens of deliveries
-- Returns for each 1 when its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has no acknowledgement
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
local now, done = server_ms(), {}
for i = 1, #ARGV do
    local record, score = held(KEYS[1], KEYS[2], ARGV[i], now)
    done[i] = record and 1 or 0
    if record then
        end_lease(KEYS[1], KEYS[2], ARGV[i], record, score)
        drop_group(KEYS[3], KEYS[4], message_of(record).value)
    end
end
return done
