-- include: parts
-- include: unused
-- Inserts elements before the element at an index, or at the end.
-- For each insertion, Redis walks from the head to the index. If all walks take longer than to move
-- the elements behind the index, the script moves these elements, as Redisson does.
--
-- KEYS[1] list
-- ARGV index, 0 to the size; then the bytes of each value
-- Returns 1, or 0 if the index is out of range.
-- Redisson: RedissonList.addAllAsync(int, Collection), which always moves these elements
local index, size = tonumber(table.remove(ARGV, 1)), call('llen', KEYS[1])
if index > size then
    return 0
elseif index == size then
    in_parts(ARGV, #ARGV, function(...)
        call('rpush', KEYS[1], ...)
    end)
    return 1
end
if #ARGV * index > 10 * (size - index) + 10000 then
    local rest = call('lrange', KEYS[1], index, -1)
    need('rpush', KEYS[1])
    call('ltrim', KEYS[1], 0, index - 1)
    local function push(...)
        call('rpush', KEYS[1], ...)
    end
    in_parts(ARGV, #ARGV, push)
    in_parts(rest, #rest, push)
    return 1
end
local old, mark = call('lindex', KEYS[1], index), unused(KEYS[1])
need('linsert', KEYS[1], 'before', mark, '')
call('lset', KEYS[1], index, mark)
for i = 1, #ARGV do
    call('linsert', KEYS[1], 'before', mark, ARGV[i])
end
call('lset', KEYS[1], index + #ARGV, old)
return 1
