-- Moves pending members that cannot be read to the poison list, each as often as it is there.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] poison list
-- ARGV members
-- Returns those that were pending.
-- Redisson: none; the transfer of RedissonDelayedQueue fails at such members
need('lrem', KEYS[1], 'none', '')
need('zrem', KEYS[2], 'pyredisson_none')
local moved, listed, due = {}, {}, {}
for i = 1, #ARGV do
    local member = ARGV[i]
    if not listed[member] then
        listed[member] = #call('lpos', KEYS[1], member, 'COUNT', 0)
        due[member] = call('zscore', KEYS[2], member)
        if due[member] or listed[member] > 0 then
            moved[#moved + 1] = member
        end
    end
end
for _, member in ipairs(moved) do
    for _ = 1, math.max(listed[member], 1) do
        call('rpush', KEYS[3], member)
        undo('rpop', KEYS[3])
    end
end
for _, member in ipairs(moved) do
    if listed[member] > 0 then
        call('lrem', KEYS[1], 0, member)
    end
    if due[member] then
        call('zrem', KEYS[2], member)
    end
end
return moved
