-- include: kernel/clock
-- include: cache
-- Reads entries that have not expired, and starts their idle times anew.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV 'value', 'exists', or 'peek' to leave the idle times as they are; then keys
-- Returns for each key its stored value, or nil; with 'exists' 1 or 0.
-- Redisson: RedissonMapCache.getOperationAsync(K), containsKeyAsync(Object), getWithTTLOnlyAsync(K)
local what, found = table.remove(ARGV, 1), {}
for i = 1, #ARGV do
    found[i] = read(ARGV[i]) or false
end
for i = 1, #found do
    local entry = found[i]
    if entry and what ~= 'peek' then
        keep(entry)
        use(entry.key)
    end
    if what == 'exists' then
        found[i] = entry and 1 or 0
    else
        found[i] = entry and entry.data
    end
end
return found
