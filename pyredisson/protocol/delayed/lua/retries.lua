-- include: consumers/records
-- Finds the pending items with a value that a consumer has requeued with a delay.
--
-- KEYS[1] retried   KEYS[2] timeout set
-- ARGV[1] value bytes
-- Returns in turn the bytes before the value in the packed entry, and the score. The script reads
-- at most 1000 records of the value.
-- Redisson: none; RedissonDelayedQueue.contains searches for a value
local sha, found = redis.sha1hex(ARGV[1]), {}
local kept = call('zrangebylex', KEYS[1], '[' .. sha, '(' .. sha .. '\255', 'limit', 0, 1000)
for i = 1, #kept do
    local prefix = value_record(kept[i]).prefix
    local due = call('zscore', KEYS[2], prefix .. ARGV[1])
    if due then
        found[#found + 1], found[#found + 2] = prefix, due
    end
end
return found
