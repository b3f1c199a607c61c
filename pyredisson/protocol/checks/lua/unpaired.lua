-- Finds times without a record and records without a time, and repairs them.
-- A repair removes times without a record. A record without a time gets a time far in the past, so
-- that the next client that checks the times handles the record.
--
-- KEYS[1] times   KEYS[2] records
-- ARGV look or repair; the minimum length of a record; then names
-- Returns {names with only a time, names with only a record of at least this length}.
-- Redisson: none; RedissonBlockingQueue has no leases, RedissonExecutorService no entries
local action, least = table.remove(ARGV, 1), tonumber(table.remove(ARGV, 1))
local times, records = {}, {}
for i = 1, #ARGV do
    local name = ARGV[i]
    local due, size = call('zscore', KEYS[1], name), call('hstrlen', KEYS[2], name)
    if due and size == 0 then
        times[#times + 1] = name
    elseif not due and size >= least then
        records[#records + 1] = name
    end
end
if action == 'repair' then
    call('zrem', KEYS[1], 'pyredisson_none')
    for _, name in ipairs(records) do
        call('zadd', KEYS[1], 1, name)
        undo('zrem', KEYS[1], name)
    end
    for _, name in ipairs(times) do
        call('zrem', KEYS[1], name)
    end
end
return {times, records}
