-- Finds times without a dead letter and dead letters without a time, and repairs them.
-- A repair removes times without a letter. It gives a letter without a time the time of its last
-- delivery, so that the letter can be read and redriven again.
--
-- KEYS[1] dead   KEYS[2] dead letters
-- ARGV look or repair; then ids of letters that are not truncated
-- Returns {ids with only a time, ids with only a letter}.
-- Redisson: none; RedissonBlockingQueue has no dead letters
local action, times, letters, failed_at = table.remove(ARGV, 1), {}, {}, {}
if action == 'repair' then
    need('zadd', KEYS[1])
    need('zrem', KEYS[1], 'pyredisson_none')
    without_memory('zrem', KEYS[1], 'pyredisson_none')
end
for i = 1, #ARGV do
    local time, exists = call('zscore', KEYS[1], ARGV[i]), call('hexists', KEYS[2], ARGV[i]) == 1
    if time and not exists then
        times[#times + 1] = ARGV[i]
    elseif exists and not time then
        local letter = call('hget', KEYS[2], ARGV[i])
        letters[#letters + 1] = ARGV[i]
        failed_at[#letters] = struct.unpack('>I8', letter, struct.unpack('>I4', letter) + 33)
    end
end
if action == 'repair' then
    for i = 1, #letters do
        call('zadd', KEYS[1], failed_at[i], letters[i])
        undo('zrem', KEYS[1], letters[i])
    end
    for i = 1, #times do
        remove('zrem', KEYS[1], times[i])
    end
end
return {times, letters}
