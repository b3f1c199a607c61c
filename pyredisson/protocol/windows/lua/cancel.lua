-- include: delayed/member
-- include: groups
-- include: open
-- include: dropped
-- Takes back the open group of a key, with its values.
--
-- KEYS[1] timeout set   KEYS[2] delay list   KEYS[3] open   KEYS[4] groups
-- ARGV[1] key
-- Returns how many values it had; 0 when none is open.
-- Redisson: none; RedissonDelayedQueue.remove takes back one item
need('lrem', KEYS[2], 'none', '')
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
local member = call('hget', KEYS[3], ARGV[1])
if not member or not call('zscore', KEYS[1], member) then
    return 0
end
local size = note_group(KEYS[3], KEYS[4], value_of(member))
call('lrem', KEYS[2], 1, member)
call('zrem', KEYS[1], member)
if size == 0 then
    call('hdel', KEYS[3], ARGV[1])
end
drop_noted(KEYS[3], KEYS[4])
return size
