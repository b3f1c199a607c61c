-- include: kernel/steps
-- include: letter
-- Requeues dead letters at the tail of their queue, with no attempts counted.
--
-- KEYS[1] queue   KEYS[2] dead   KEYS[3] dead letters
-- ARGV ids
-- Returns how many letters were requeued; how many times of failures stay, because the letter is
-- missing or truncated; and how many ids were processed: fewer than all if the letters are long.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('rpush', KEYS[1])
need('zrem', KEYS[2], 'pyredisson_none')
need('hdel', KEYS[3], 'pyredisson_none')
without_memory('zrem', KEYS[2], 'pyredisson_none')
local moved, halves, seen, looked_at = 0, 0, {}, 0
for i = 1, #ARGV do
    local id = ARGV[i]
    local there = not seen[id] and call('zscore', KEYS[2], id)
    local letter = there and call('hget', KEYS[3], id)
    local value = letter and value_in(letter)
    seen[id], looked_at = true, i
    if value then
        call('rpush', KEYS[1], value)
        undo('rpop', KEYS[1])
        remove('zrem', KEYS[2], id)
        remove('hdel', KEYS[3], id)
        moved = moved + 1
    elseif there then
        halves = halves + 1
    end
    if letter and is_much(letter) then
        break
    end
end
return {moved, halves, looked_at}
