-- include: unused
-- Removes the element at an index.
--
-- KEYS[1] list
-- ARGV[1] index
-- Returns the element; an index out of range is an error.
-- Redisson: RedissonList.removeAsync(int), RedissonList.fastRemoveAsync(int)
local old, mark = call('lindex', KEYS[1], ARGV[1]), unused(KEYS[1])
without_memory('lrem', KEYS[1], 'none', '')
call('lset', KEYS[1], ARGV[1], mark)
undo('lset', KEYS[1], ARGV[1], old)
call('lrem', KEYS[1], 1, mark)
return old
