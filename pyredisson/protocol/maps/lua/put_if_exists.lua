-- Sets the value of a key that exists.
--
-- KEYS[1] map
-- ARGV[1] key   ARGV[2] value
-- Returns the previous value, or nil without the key.
-- Redisson: RedissonMap.putIfExistsOperationAsync(K, V); replaceOperationAsync(K, V) does the same
local old = call('hget', KEYS[1], ARGV[1])
if old then
    call('hset', KEYS[1], ARGV[1], ARGV[2])
end
return old
