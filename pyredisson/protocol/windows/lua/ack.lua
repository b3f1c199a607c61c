-- include: consumers/records
-- include: delayed/entry
-- include: groups
-- include: open
-- include: dropped
-- Acknowledges messages: deletes the messages and their groups.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] open   KEYS[4] groups
-- ARGV tokens of deliveries
-- Returns for each token 1 if its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has no acknowledgement
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
local now, done, seen, settled = server_ms(), {}, {}, {}
for i = 1, #ARGV do
    local token = ARGV[i]
    local record = not seen[token] and held(KEYS[1], KEYS[2], token, now)
    seen[token], done[i] = true, record and 1 or 0
    if record then
        settled[#settled + 1] = token
        note_group(KEYS[3], KEYS[4], message_of(record).value)
    end
end
for _, token in ipairs(settled) do
    call('zrem', KEYS[1], token)
    call('hdel', KEYS[2], token)
end
drop_noted(KEYS[3], KEYS[4])
return done
