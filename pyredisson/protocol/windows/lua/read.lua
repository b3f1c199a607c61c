-- include: kernel/steps
-- include: groups
-- Reads whole groups.
--
-- KEYS[1] groups
-- ARGV tokens
-- Returns for each token {key, id, values}, or nil if the group does not exist. If the groups are
-- long, returns only the first of them.
-- Redisson: none; RedissonDelayedQueue has no groups
local found = {}
for i = 1, #ARGV do
    local sha = redis.sha1hex(ARGV[i])
    local size, id, key = head_of(KEYS[1], sha)
    local group, enough = size and read_group(KEYS[1], sha, size, id, key) or false, false
    for place = 1, group and #group or 0 do
        enough = group[place] and is_much(group[place])
    end
    found[i] = group
    if enough then
        break
    end
end
return found
