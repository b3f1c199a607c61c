-- include: delayed/entry
-- include: groups
-- include: open
-- include: dropped
-- Removes the open group of a key, with its values.
--
-- KEYS[1] timeout set   KEYS[2] delay list   KEYS[3] open   KEYS[4] groups
-- ARGV[1] key
-- Returns how many values the group had; 0 if no group is open.
-- Redisson: none; RedissonDelayedQueue.remove removes one item
need('lrem', KEYS[2], 'none', '')
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
local entry = call('hget', KEYS[3], ARGV[1])
if not entry or not call('zscore', KEYS[1], entry) then
    return 0
end
local size = note_group(KEYS[3], KEYS[4], value_of(entry))
call('lrem', KEYS[2], 1, entry)
call('zrem', KEYS[1], entry)
if size == 0 then
    call('hdel', KEYS[3], ARGV[1])
end
drop_noted(KEYS[3], KEYS[4])
return size
