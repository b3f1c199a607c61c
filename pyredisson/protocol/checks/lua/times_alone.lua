-- include: consumers/records
-- Finds entries that have a time but no record, and repairs them.
-- `forget` deletes the time. `restore` adds a record, so that the item expires at its time and
-- becomes a dead letter.
--
-- KEYS[1] times   KEYS[2] records   KEYS[3] timeout set
-- ARGV look, forget or restore; then entries
-- Returns the entries without a record.
-- Redisson: none; RedissonBlockingQueue has no record of what it delivered
local action, alone, whens, dues = table.remove(ARGV, 1), {}, {}, {}
if action == 'forget' then
    need('zrem', KEYS[1], 'pyredisson_none')
elseif action == 'restore' then
    need('zadd', KEYS[2])
    without_memory('zrem', KEYS[2], 'pyredisson_none')
end
for i = 1, #ARGV do
    local when = call('zscore', KEYS[1], ARGV[i])
    if when and not value_record_at(KEYS[2], ARGV[i], when) then
        alone[#alone + 1], whens[#whens + 1] = ARGV[i], tonumber(when)
        dues[#alone] = call('zscore', KEYS[3], ARGV[i]) or 0
    end
end
for i = 1, action == 'restore' and #alone or 0 do
    local prefix, value = halves(alone[i])
    remember(KEYS[2], {
        id = #prefix == 25 and string.sub(prefix, 2, 17) or prefix, attempt = 0, first = 0,
        due = dues[i], expires = whens[i], value = value
    }, whens[i], prefix)
end
for i = 1, action == 'forget' and #alone or 0 do
    remove('zrem', KEYS[1], alone[i])
end
return alone
