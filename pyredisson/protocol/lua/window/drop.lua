-- include: delayed_queue/member
-- include: dead/letter
-- include: groups
-- include: dropped
-- Deletes dead letters, and the groups that they stood for.
--
-- KEYS[1] dead   KEYS[2] dead letters   KEYS[3] open   KEYS[4] groups
-- ARGV ids
-- Returns how many of them there were.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
local dropped = 0
for i = 1, #ARGV do
    local letter, failed_at = call('hget', KEYS[2], ARGV[i]), call('zscore', KEYS[1], ARGV[i])
    if letter and failed_at then
        call('zrem', KEYS[1], ARGV[i])
        undo('zadd', KEYS[1], failed_at, ARGV[i])
        drop_group(KEYS[3], KEYS[4], value_in(letter))
        call('hdel', KEYS[2], ARGV[i])
        dropped = dropped + 1
    end
end
return dropped
