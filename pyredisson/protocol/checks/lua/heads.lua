-- include: kernel/steps
-- include: objects/scan
-- Reads the heads of some of a window's groups, without their values.
-- HSCAN with a pattern would also copy the values, and its reply would not show how long they are.
--
-- KEYS[1] groups
-- ARGV[1] cursor, 0 for the first page   ARGV[2] fields a page; fewer if they are long
-- Returns {the next cursor, 0 at the end; SHA1 of the token, and head, of each group in turn}.
-- Redisson: none; RedissonBlockingQueue has no groups
local SHA, heads = 40, {}
local cursor = scan_page('hscan', KEYS[1], ARGV[1], ARGV[2], function(field, value)
    if #field == SHA then
        heads[#heads + 1], heads[#heads + 2] = field, value
    end
end)
return {cursor, heads}
