-- include: records
-- Acknowledges messages: deletes their records and leases.
--
-- KEYS[1] leases   KEYS[2] taken
-- ARGV tokens
-- Returns for each 1 if its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has no acknowledgement
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
local now, done = server_ms(), {}
for i = 1, #ARGV do
    done[i] = lasts(KEYS[1], KEYS[2], ARGV[i], now) and 1 or 0
    if done[i] == 1 then
        end_lease(KEYS[1], KEYS[2], ARGV[i])
    end
end
return done
