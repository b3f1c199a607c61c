-- include: delayed_queue/member
-- include: groups
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
local due = member and call('zscore', KEYS[1], member)
if not due then
    return 0
end
head_of(KEYS[4], '')
call('lrem', KEYS[2], 1, member)
call('zrem', KEYS[1], member)
return drop_group(KEYS[3], KEYS[4], value_of(member))
