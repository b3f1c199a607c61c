-- Finds members that stand in the timeout set alone; adds them to the list's end, or drops them.
-- LPOS passes along the list for each: the longer the list, the fewer members a call.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV look, deliver or drop; then members
-- Returns those that stood there alone.
-- Redisson: none; RedissonDelayedQueue's retainAll leaves such members
local action, alone, seen = table.remove(ARGV, 1), {}, {}
if action == 'deliver' then
    need('rpush', KEYS[1])
elseif action == 'drop' then
    need('zrem', KEYS[2], 'pyredisson_none')
end
for i = 1, #ARGV do
    local member = ARGV[i]
    if not seen[member] and call('zscore', KEYS[2], member)
            and not call('lpos', KEYS[1], member) then
        alone[#alone + 1] = member
    end
    seen[member] = true
end
for _, member in ipairs(alone) do
    if action == 'deliver' then
        call('rpush', KEYS[1], member)
        undo('rpop', KEYS[1])
    elseif action == 'drop' then
        call('zrem', KEYS[2], member)
    end
end
return alone
