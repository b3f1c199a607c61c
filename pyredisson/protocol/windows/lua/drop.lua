-- include: delayed/entry
-- include: dead_letters/letter
-- include: groups
-- include: open
-- include: dropped
-- Deletes dead letters that have a time, and their groups.
--
-- KEYS[1] dead   KEYS[2] dead letters   KEYS[3] open   KEYS[4] groups
-- ARGV ids
-- Returns how many of the ids had a time.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
local seen, dropped = {}, {}
for i = 1, #ARGV do
    local id = ARGV[i]
    if not seen[id] and call('zscore', KEYS[1], id) then
        seen[id], dropped[#dropped + 1] = true, id
        local letter = call('hget', KEYS[2], id)
        local token = letter and value_in(letter)
        if token then
            note_group(KEYS[3], KEYS[4], token)
        end
    end
end
for _, id in ipairs(dropped) do
    call('zrem', KEYS[1], id)
    call('hdel', KEYS[2], id)
end
drop_noted(KEYS[3], KEYS[4])
return #dropped
