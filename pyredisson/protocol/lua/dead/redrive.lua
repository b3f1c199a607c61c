-- include: letter
-- Puts dead letters back to the tail of their queue, where they begin anew.
--
-- KEYS[1] queue   KEYS[2] dead   KEYS[3] dead letters
-- ARGV ids
-- Returns how many of them there were.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('rpush', KEYS[1])
need('zrem', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
local moved = 0
for i = 1, #ARGV do
    local letter, failed_at = call('hget', KEYS[3], ARGV[i]), call('zscore', KEYS[2], ARGV[i])
    if letter and failed_at then
        call('zrem', KEYS[2], ARGV[i])
        undo('zadd', KEYS[2], failed_at, ARGV[i])
        call('hdel', KEYS[3], ARGV[i])
        undo('hset', KEYS[3], ARGV[i], letter)
        call('rpush', KEYS[1], value_in(letter))
        undo('rpop', KEYS[1])
        moved = moved + 1
    end
end
return moved
