-- include: records
-- Lets leases last for so long from now on; none becomes shorter.
--
-- KEYS[1] leases   KEYS[2] taken
-- ARGV ms, then tokens
-- Returns for each 1 when its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue knows no leases
need('zadd', KEYS[1])
local now, done, lease = server_ms(), {}, table.remove(ARGV, 1)
for i = 1, #ARGV do
    local record, score = held(KEYS[1], KEYS[2], ARGV[i], now)
    done[i] = record and 1 or 0
    if record and now + lease > tonumber(score) then
        call('zadd', KEYS[1], now + lease, ARGV[i])
        undo('zadd', KEYS[1], score, ARGV[i])
    end
end
return done
