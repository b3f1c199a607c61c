-- Reads the elements at several indexes.
--
-- KEYS[1] list
-- ARGV    indexes, one or more
-- Returns for each index the element, or nil.
-- Redisson: RedissonList.getAsync(int...)
local elements = {}
for i = 1, #ARGV do
    elements[i] = call('lindex', KEYS[1], ARGV[i])
end
return elements
