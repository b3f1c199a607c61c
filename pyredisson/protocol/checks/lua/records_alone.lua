-- include: consumers/records
-- Finds records whose entries have no time, and repairs them.
-- A repair sets the time of the entry, and deletes a record without an entry. The caller has seen
-- that the entry had no time while the record existed. No other script adds only a record or only
-- a time.
--
-- KEYS[1] times   KEYS[2] records
-- ARGV look or repair; then each record and its entry in turn; '' if no key has the record's value
-- Returns the records without a time.
-- Redisson: none; RedissonBlockingQueue has no record of what it delivered
local action, alone, entries = table.remove(ARGV, 1), {}, {}
if action == 'repair' then
    need('zadd', KEYS[1])
    need('zrem', KEYS[2], 'pyredisson_none')
    without_memory('zrem', KEYS[2], 'pyredisson_none')
end
for i = 1, #ARGV, 2 do
    local record, entry = ARGV[i], ARGV[i + 1]
    if call('zscore', KEYS[2], record) and (entry == '' or not call('zscore', KEYS[1], entry)) then
        alone[#alone + 1], entries[#entries + 1] = record, entry
    end
end
for i = 1, action == 'repair' and #alone or 0 do
    if entries[i] == '' then
        remove('zrem', KEYS[2], alone[i])
    else
        add(KEYS[1], value_record(alone[i]).when, entries[i])
    end
end
return alone
