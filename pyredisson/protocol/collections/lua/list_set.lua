-- Replaces the element at an index.
--
-- KEYS[1] list
-- ARGV[1] index   ARGV[2] value bytes
-- Returns the old element; an index out of range is an error.
-- Redisson: RedissonList.setAsync(int, Object)
local old = call('lindex', KEYS[1], ARGV[1])
call('lset', KEYS[1], ARGV[1], ARGV[2])
return old
