-- Deletes dead letters.
--
-- KEYS[1] dead   KEYS[2] dead letters
-- ARGV ids
-- Returns how many of them there were.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
local dropped = 0
for i = 1, #ARGV do
    local failed_at = call('zscore', KEYS[1], ARGV[i])
    dropped = dropped + call('zrem', KEYS[1], ARGV[i])
    if failed_at then
        undo('zadd', KEYS[1], failed_at, ARGV[i])
    end
    call('hdel', KEYS[2], ARGV[i])
end
return dropped
