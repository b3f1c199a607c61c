-- include: consumers/records
-- Finds what is pending because a consumer put a message back with a delay, by its value.
--
-- KEYS[1] retried   KEYS[2] timeout set
-- ARGV[1] value bytes
-- Returns what stands before the value in the packed member, and the score, in turn; of 1000 at most.
-- Redisson: none; RedissonDelayedQueue.contains looks for a value
local sha, found = redis.sha1hex(ARGV[1]), {}
local kept = call('zrangebylex', KEYS[1], '[' .. sha, '(' .. sha .. '\255', 'limit', 0, 1000)
for i = 1, #kept do
    local prefix = entry_of(kept[i]).prefix
    local due = call('zscore', KEYS[2], prefix .. ARGV[1])
    if due then
        found[#found + 1], found[#found + 2] = prefix, due
    end
end
return found
