-- include: kernel/clock
-- include: parts
-- Adds values to a set whose values expire, or changes when they expire.
--
-- KEYS[1] sorted set of times, ms
-- ARGV time to live, ms, or '' for never; condition; then the bytes of each value
-- Returns how many were added or changed; with the condition any, how many were not in the set.
-- The conditions: any; none (adds all values if the set has none of them); absent, exists (only
-- values that are not in the set, or are); less, greater (only values in the set whose time becomes
-- earlier, or later). An expired value counts as not in the set.
-- Redisson: RedissonSetCache.addAsync(Object, long, TimeUnit), tryAddAsync, addIfLessAsync
local now = server_ms()
local ttl, condition = table.remove(ARGV, 1), table.remove(ARGV, 1)
local time = ttl == '' and '92233720368547758' or string.format('%.0f', now + ttl)
local words, changed = {}, 0
for i = 1, #ARGV do
    local before = tonumber(call('zscore', KEYS[1], ARGV[i]) or 0)
    local live, after = before > now, tonumber(time)
    if live and condition == 'none' then
        return 0
    end
    local new = condition == 'any' or condition == 'none' or condition == 'exists' and live
        or condition == 'absent' and not live or condition == 'less' and live and after < before
        or condition == 'greater' and live and after > before
    if new then
        words[#words + 1], words[#words + 2] = time, ARGV[i]
        changed = changed + ((live and condition == 'any') and 0 or 1)
    end
end
in_parts(words, #words, function(...)
    call('zadd', KEYS[1], ...)
end)
return changed
