-- include: kernel/steps
-- include: objects/scan
-- Reads field names of a hash, without their values.
--
-- KEYS[1] hash
-- ARGV[1] cursor, 0 for the first page   ARGV[2] fields a page; fewer if their values are long
-- Returns {the next cursor, 0 at the end; names}.
-- Redisson: none; RedissonMap reads values as well
local names = {}
local cursor = scan_page('hscan', KEYS[1], ARGV[1], ARGV[2], function(name)
    names[#names + 1] = name
end)
return {cursor, names}
