-- include: records
-- include: consumers
-- Extends leases to a duration from now on. No lease becomes shorter.
--
-- KEYS[1] leases   KEYS[2] taken
-- Optional KEYS[3] consumers
-- ARGV duration, ms; then tokens. With the third key, first the two arguments of take.lua for the name
-- Returns for each 1 if its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has no leases
need('zadd', KEYS[1])
without_memory('zrem', KEYS[1], 'pyredisson_none')
local now, done, stored, called = server_ms(), {}, nil, nil
if KEYS[3] then
    stored, called = table.remove(ARGV, 1), table.remove(ARGV, 1)
end
local lease, ours = table.remove(ARGV, 1), false
for i = 1, #ARGV do
    local score = lasts(KEYS[1], KEYS[2], ARGV[i], now)
    done[i] = score and 1 or 0
    ours = ours or score
    if score and now + lease > tonumber(score) then
        call('zadd', KEYS[1], now + lease, ARGV[i])
        undo('zadd', KEYS[1], score, ARGV[i])
    end
end
if called and ours then
    note_consumer(KEYS[3], now, stored, called)
end
return done
