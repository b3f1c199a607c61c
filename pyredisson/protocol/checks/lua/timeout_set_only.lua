-- Finds entries that are in the timeout set only.
-- `deliver` adds them to the end of the delay list, `drop` deletes them.
-- LPOS searches the list once for each entry, so callers pass fewer entries if the list is longer.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV look, deliver or drop; then entries
-- Returns the entries that were in the timeout set only.
-- Redisson: none; RedissonDelayedQueue's retainAll leaves such entries
local action, alone, seen = table.remove(ARGV, 1), {}, {}
if action == 'deliver' then
    need('rpush', KEYS[1])
    without_memory('zrem', KEYS[2], 'pyredisson_none')
elseif action == 'drop' then
    need('zrem', KEYS[2], 'pyredisson_none')
end
for i = 1, #ARGV do
    local entry = ARGV[i]
    if not seen[entry] and call('zscore', KEYS[2], entry)
            and not call('lpos', KEYS[1], entry) then
        alone[#alone + 1] = entry
    end
    seen[entry] = true
end
for _, entry in ipairs(alone) do
    if action == 'deliver' then
        call('rpush', KEYS[1], entry)
        undo('rpop', KEYS[1])
    elseif action == 'drop' then
        call('zrem', KEYS[2], entry)
    end
end
return alone
