-- include: delayed/member
-- include: windows/groups
-- Finds open groups of which their keys know nothing any more, and lets the keys name them.
-- A group that somebody has taken is not open, though it may be pending again.
--
-- KEYS[1] open   KEYS[2] groups   KEYS[3] timeout set
-- ARGV look or repair; then pending members
-- Returns the keys of those.
-- Redisson: none; RedissonBlockingQueue has no groups
local action, keys, members, before = table.remove(ARGV, 1), {}, {}, {}
if action == 'repair' then
    need('hset', KEYS[1])
end
local function group_in(member)
    return head_of(KEYS[2], redis.sha1hex(member and value_of(member) or ''))
end
local function was_taken(member)
    return call('hexists', KEYS[2], redis.sha1hex(value_of(member)) .. 0) == 1
end
for i = 1, #ARGV do
    local size, _, key = group_in(call('zscore', KEYS[3], ARGV[i]) and ARGV[i])
    local known = size and call('hget', KEYS[1], key)
    if size and not members[key] and not group_in(known) and not was_taken(ARGV[i]) then
        keys[#keys + 1], members[key], before[key] = key, ARGV[i], known
    end
end
if action == 'repair' then
    for i = 1, #keys do
        call('hset', KEYS[1], keys[i], members[keys[i]])
        if before[keys[i]] then
            undo('hset', KEYS[1], keys[i], before[keys[i]])
        else
            undo('hdel', KEYS[1], keys[i])
        end
    end
end
return keys
