-- include: entry
-- include: typed
-- Pops the newest pending item and pushes its value to the head of another list.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] the other list   KEYS[4] poison list
-- Returns the packed entry, or nil if no item is pending. An entry in neither format is moved to
-- the poison list. Before Redis 7, the push to the other list may be rejected for a missing
-- permission after the item is removed. The script then pushes the value to the poison list and
-- raises the error.
-- Redisson: RedissonDelayedQueue.pollLastAndOfferFirstToAsync(String)
need('lpush', KEYS[3])
need('rpush', KEYS[4])
need('zrem', KEYS[2], 'pyredisson_none')
typed('zset', 'zrem', KEYS[2])
typed('list', 'lpush', KEYS[3])
typed('list', 'rpush', KEYS[4])
local entry = call('rpop', KEYS[1])
if entry == false then
    return nil
end
undo('rpush', KEYS[1], entry)
local value = value_of(entry)
if not value then
    call('rpush', KEYS[4], entry)
    undo('lrem', KEYS[4], -1, entry)
end
call('zrem', KEYS[2], entry)
forget()
if value then
    undo('rpush', KEYS[4], value)
    call('lpush', KEYS[3], value)
end
return entry
