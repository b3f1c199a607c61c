-- Reads pending members, and tells which of them stand in the list alone.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] first   ARGV[2] last, both included
-- Returns {members, those that have no time}.
-- Redisson: none; RedissonDelayedQueue is not checked
local members, alone = call('lrange', KEYS[1], ARGV[1], ARGV[2]), {}
for i = 1, #members do
    if not call('zscore', KEYS[2], members[i]) then
        alone[#alone + 1] = members[i]
    end
end
return {members, alone}
