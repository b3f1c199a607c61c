-- include: consumers/records
-- Finds entries whose members have no time, and repairs that.
-- Then the member has its time again, and an entry without one is forgotten. Whoever asks has seen
-- that there was no time while the entry was there, and no other step adds the one or the other.
--
-- KEYS[1] times   KEYS[2] entries
-- ARGV look or repair; then of each entry itself and its member, empty where there is none
-- Returns those entries.
-- Redisson: none; RedissonBlockingQueue knows nothing of what it delivered
local action, alone, members = table.remove(ARGV, 1), {}, {}
if action == 'repair' then
    need('zadd', KEYS[1])
    need('zrem', KEYS[2], 'pyredisson_none')
end
for i = 1, #ARGV, 2 do
    local entry, member = ARGV[i], ARGV[i + 1]
    if call('zscore', KEYS[2], entry) and (member == '' or not call('zscore', KEYS[1], member)) then
        alone[#alone + 1], members[#members + 1] = entry, member
    end
end
for i = 1, action == 'repair' and #alone or 0 do
    if members[i] == '' then
        remove('zrem', KEYS[2], alone[i])
    else
        add(KEYS[1], entry_of(alone[i]).when, members[i])
    end
end
return alone
