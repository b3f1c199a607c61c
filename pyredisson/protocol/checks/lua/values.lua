-- include: kernel/steps
-- include: objects/scan
-- include: windows/groups
-- Reads some fields of a window's groups, and finds groups that do not match their values.
--
-- KEYS[1] groups
-- ARGV[1] cursor, 0 for the first page   ARGV[2] fields a page; fewer if they are long
-- Returns {the next cursor, 0 at the end; SHA1 of groups that have missing or uncounted values}.
-- Redisson: none; RedissonBlockingQueue has no groups
local sizes, suspects = {}, {}
local function size_of(sha)
    if not sizes[sha] then
        sizes[sha] = head_of(KEYS[1], sha) or -1
    end
    return sizes[sha]
end
local function lacks(sha, size)
    for number = 1, size do
        if call('hexists', KEYS[1], sha .. number) == 0 then
            return true
        end
    end
    return size < 0
end
local cursor = scan_page('hscan', KEYS[1], ARGV[1], ARGV[2], function(field)
    local sha, number = string.match(field, '^(' .. string.rep('%x', 40) .. ')(%d*)$')
    if number == '' then
        if lacks(sha, size_of(sha)) then
            suspects[#suspects + 1] = sha
        end
    elseif sha and tonumber(number) > size_of(sha) then
        suspects[#suspects + 1] = sha
    end
end)
return {cursor, suspects}
