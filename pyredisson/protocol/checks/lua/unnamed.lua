-- include: delayed/entry
-- include: windows/groups
-- Finds open groups that their keys do not refer to. A repair makes the keys refer to the groups.
-- A group that a consumer has taken is not open, although it may be pending again.
--
-- KEYS[1] open   KEYS[2] groups   KEYS[3] timeout set
-- ARGV look or repair; then pending entries
-- Returns the keys of the found groups.
-- Redisson: none; RedissonBlockingQueue has no groups
local action, keys, entries, before = table.remove(ARGV, 1), {}, {}, {}
if action == 'repair' then
    need('hset', KEYS[1])
    without_memory('hdel', KEYS[1], 'pyredisson_none')
end
local function group_in(entry)
    return head_of(KEYS[2], redis.sha1hex(entry and value_of(entry) or ''))
end
local function was_taken(entry)
    return call('hexists', KEYS[2], redis.sha1hex(value_of(entry)) .. 0) == 1
end
for i = 1, #ARGV do
    local size, _, key = group_in(call('zscore', KEYS[3], ARGV[i]) and ARGV[i])
    local known = size and call('hget', KEYS[1], key)
    if size and not entries[key] and not group_in(known) and not was_taken(ARGV[i]) then
        keys[#keys + 1], entries[key], before[key] = key, ARGV[i], known
    end
end
if action == 'repair' then
    for i = 1, #keys do
        call('hset', KEYS[1], keys[i], entries[keys[i]])
        if before[keys[i]] then
            undo('hset', KEYS[1], keys[i], before[keys[i]])
        else
            undo('hdel', KEYS[1], keys[i])
        end
    end
end
return keys
