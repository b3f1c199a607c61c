-- include: groups
-- Reads whole groups.
--
-- KEYS[1] groups
-- ARGV tokens
-- Returns for each {key, id, values}; nil if a token has no group.
-- Redisson: none; RedissonDelayedQueue has no groups
local found = {}
for i = 1, #ARGV do
    local sha = redis.sha1hex(ARGV[i])
    local size, id, key = head_of(KEYS[1], sha)
    found[i] = size and read_group(KEYS[1], sha, size, id, key) or false
end
return found
