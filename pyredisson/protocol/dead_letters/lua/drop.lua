-- Deletes dead letters and halves of dead letters.
--
-- KEYS[1] dead   KEYS[2] dead letters
-- ARGV ids
-- Returns for how many ids a dead letter or a half was deleted.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
local dropped, seen = 0, {}
for i = 1, #ARGV do
    local id = ARGV[i]
    if not seen[id] and (call('zscore', KEYS[1], id) or call('hexists', KEYS[2], id) == 1) then
        seen[id], dropped = true, dropped + 1
        remove('zrem', KEYS[1], id)
        remove('hdel', KEYS[2], id)
    end
end
return dropped
