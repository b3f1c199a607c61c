-- include: kernel/steps
-- Reads pending entries, and finds those that are in the delay list only.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] first index   ARGV[2] maximum number of entries; fewer (at least two) if they are long
-- Returns {1 if the list may have more entries, else 0; entries; entries that have no time}.
-- Redisson: none; RedissonDelayedQueue is not checked
local entries, alone = {}, {}
local more = in_steps(ARGV[2], 2, function(done, count)
    local first = ARGV[1] + done
    local some = call('lrange', KEYS[1], first, first + count - 1)
    for i = 1, #some do
        entries[#entries + 1] = some[i]
        if not call('zscore', KEYS[2], some[i]) then
            alone[#alone + 1] = some[i]
        end
    end
    return some, #some < count
end)
return {more, entries, alone}
