-- Moves undecodable pending entries to the poison list.
-- An entry that is in the delay list several times is added as many times.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] poison list
-- ARGV entries
-- Returns the entries that were pending.
-- Redisson: none; the transfer of RedissonDelayedQueue fails at such entries
need('lrem', KEYS[1], 'none', '')
need('zrem', KEYS[2], 'pyredisson_none')
without_memory('zrem', KEYS[2], 'pyredisson_none')
local moved, listed, due = {}, {}, {}
for i = 1, #ARGV do
    local entry = ARGV[i]
    if not listed[entry] then
        listed[entry] = #call('lpos', KEYS[1], entry, 'COUNT', 0)
        due[entry] = call('zscore', KEYS[2], entry)
        if due[entry] or listed[entry] > 0 then
            moved[#moved + 1] = entry
        end
    end
end
for _, entry in ipairs(moved) do
    for _ = 1, math.max(listed[entry], 1) do
        call('rpush', KEYS[3], entry)
        undo('rpop', KEYS[3])
    end
end
for _, entry in ipairs(moved) do
    if listed[entry] > 0 then
        call('lrem', KEYS[1], 0, entry)
    end
    if due[entry] then
        call('zrem', KEYS[2], entry)
    end
end
return moved
