-- include: delayed/entry
-- include: windows/groups
-- Finds keys of a window whose group does not exist, and deletes them.
--
-- KEYS[1] open   KEYS[2] groups
-- ARGV look or repair; then keys
-- Returns the keys without a group.
-- Redisson: none; RedissonBlockingQueue has no groups
local action, alone = table.remove(ARGV, 1), {}
if action == 'repair' then
    need('hdel', KEYS[1], 'pyredisson_none')
end
for i = 1, #ARGV do
    local entry = call('hget', KEYS[1], ARGV[i])
    local sha = redis.sha1hex(entry and value_of(entry) or '')
    if entry and not head_of(KEYS[2], sha) and call('hexists', KEYS[2], sha .. 1) == 0 then
        alone[#alone + 1] = ARGV[i]
        if action == 'repair' then
            remove('hdel', KEYS[1], ARGV[i])
        end
    end
end
return alone
