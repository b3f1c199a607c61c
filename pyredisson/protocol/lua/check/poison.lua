-- Moves pending members that cannot be read to the poison list, each as often as it is there.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] poison list
-- ARGV members
-- Returns those that were pending.
-- Redisson: none; the transfer of RedissonDelayedQueue fails at such members
need('lrem', KEYS[1], 'none', '')
need('zrem', KEYS[2], 'pyredisson_none')
local moved = {}
for i = 1, #ARGV do
    local member = ARGV[i]
    local due = call('zscore', KEYS[2], member)
    local listed = #call('lpos', KEYS[1], member, 'COUNT', 0)
    local times = math.max(listed, due and 1 or 0)
    for _ = 1, times do
        call('rpush', KEYS[3], member)
        undo('rpop', KEYS[3])
    end
    call('lrem', KEYS[1], 0, member)
    for _ = 1, listed do
        undo('rpush', KEYS[1], member)
    end
    if due then
        call('zrem', KEYS[2], member)
        undo('zadd', KEYS[2], due, member)
    end
    if times > 0 then
        moved[#moved + 1] = member
    end
end
return moved
