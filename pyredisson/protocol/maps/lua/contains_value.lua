-- Searches a page of a map for a value.
--
-- KEYS[1] map
-- ARGV[1] value   ARGV[2] cursor   ARGV[3] entries a page
-- Returns 1 if the value is found, else 0; and the cursor of the next page.
-- Redisson: RedissonMap.containsValueAsync(Object), which reads the whole map
local page = call('hscan', KEYS[1], ARGV[2], 'count', ARGV[3])
for i = 2, #page[2], 2 do
    if page[2][i] == ARGV[1] then
        return {1, page[1]}
    end
end
return {0, page[1]}
