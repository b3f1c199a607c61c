-- Reads pending entries, and finds those that are in the delay list only.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] first index   ARGV[2] last index, both included
-- Returns {entries, those that have no time}.
-- Redisson: none; RedissonDelayedQueue is not checked
local entries, alone = call('lrange', KEYS[1], ARGV[1], ARGV[2]), {}
for i = 1, #entries do
    if not call('zscore', KEYS[2], entries[i]) then
        alone[#alone + 1] = entries[i]
    end
end
return {entries, alone}
