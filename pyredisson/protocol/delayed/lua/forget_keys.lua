-- include: dedup
-- Deletes dedup keys whose items are no longer pending.
-- Does nothing unless the queue has more dedup keys than pending items.
--
-- KEYS[1] dedup keys   KEYS[2] timeout set
-- ARGV[1] how many keys to check, at most; if no items are pending, all keys are deleted
-- Returns nil.
-- Redisson: none; RedissonDelayedQueue has no dedup keys
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
