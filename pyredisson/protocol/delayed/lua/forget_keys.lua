-- include: dedup
-- Forgets keys of deduplication whose items are gone.
--
-- KEYS[1] keys   KEYS[2] timeout set
-- ARGV[1] how many it looks at, at most; where nothing is pending it forgets all
-- Returns nil.
-- Redisson: none; RedissonDelayedQueue knows no keys
local pending = call('zcard', KEYS[2])
if pending == 0 then
    call('del', KEYS[1])
elseif call('hlen', KEYS[1]) > pending then
    local left = keys_left(KEYS[1], KEYS[2], ARGV[1])
    if #left > 0 then
        call('hdel', KEYS[1], unpack(left))
    end
end
return nil
