-- Sets the maximum size of a map cache that has none.
--
-- KEYS[1] options
-- ARGV[1] size   ARGV[2] LRU or LFU
-- Returns 1 if it was set, else 0.
-- Redisson: RedissonMapCache.trySetMaxSizeAsync(int, EvictionMode)
if call('hsetnx', KEYS[1], 'max-size', ARGV[1]) == 0 then
    return 0
end
undo('hdel', KEYS[1], 'max-size')
call('hset', KEYS[1], 'mode', ARGV[2])
return 1
