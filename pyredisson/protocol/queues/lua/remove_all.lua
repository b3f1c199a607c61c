-- Removes all elements that equal any of the values.
--
-- KEYS[1] list
-- ARGV    value bytes, one or more
-- Returns how many elements were removed.
-- Redisson: RedissonList.removeAllAsync(Collection)
local removed = 0
for i = 1, #ARGV do
    removed = removed + call('lrem', KEYS[1], 0, ARGV[i])
end
return removed
