-- Keeps only the elements that equal one of the values.
--
-- KEYS[1] list
-- ARGV    value bytes, one or more
-- Returns 1 if any element was removed, else 0.
-- Redisson: RedissonList.retainAllAsync(Collection)
local kept, result = {}, 0
for i = 1, #ARGV do
    kept[ARGV[i]] = true
end
local elements = call('lrange', KEYS[1], 0, -1)
for i = 1, #elements do
    if not kept[elements[i]] then
        call('LREM', KEYS[1], 0, elements[i])
        result = 1
    end
end
return result
