-- Takes the next block of ids. A generator without a first id starts at 1.
--
-- KEYS[1] start of the next block   KEYS[2] size of blocks
-- ARGV[1] size to set if none is set
-- Returns {first id, size}, both as text, because Lua's numbers are doubles.
-- Redisson: RedissonIdGenerator.nextIdAsync()
local size, start = call('get', KEYS[2]), call('get', KEYS[1])
if size and (tonumber(size) or 0) < 1 then
    abort('ERR value is not a size of blocks', 'get', KEYS[2])
end
if not size then
    size = ARGV[1]
    call('set', KEYS[2], size)
    undo('del', KEYS[2])
end
if not start then
    start = '1'
    call('incr', KEYS[1])
    undo('del', KEYS[1])
end
call('incrby', KEYS[1], size)
return {start, size}
