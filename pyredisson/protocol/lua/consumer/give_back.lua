-- include: records
-- include: returns
-- Puts messages back to the head of their queue, in their order.
--
-- KEYS[1] queue   KEYS[2] leases   KEYS[3] taken   KEYS[4] returned
-- ARGV 1 when their deliveries count, else 0; then tokens
-- Returns for each 1 when its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has nothing to give back
need('lpush', KEYS[1])
need('zrem', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hset', KEYS[4])
local now, done, begun = server_ms(), {}, table.remove(ARGV, 1) == '1'
for i = #ARGV, 1, -1 do
    local record, score = held(KEYS[2], KEYS[3], ARGV[i], now)
    done[i] = record and 1 or 0
    if record then
        put_back(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[i], record, score, begun)
    end
end
return done
