-- include: kernel/steps
-- include: objects/scan
-- Searches a page of a map for a value.
--
-- KEYS[1] map
-- ARGV[1] value   ARGV[2] cursor   ARGV[3] entries a page; fewer if they are long
-- Returns 1 if the value is there, else 0; and the cursor of the next page.
-- Redisson: RedissonMap.containsValueAsync(Object), which reads the whole map
local is_there = 0
local cursor = scan_page('hscan', KEYS[1], ARGV[2], ARGV[3], function(_, value)
    if value == ARGV[1] then
        is_there = 1
    end
end)
return {is_there, cursor}
