-- include: kernel/clock
-- Removes expired values and notifies listeners, unless the latch exists.
-- After a message that no client receives, the script publishes no further message.
--
-- KEYS[1] sorted set of times, ms   KEYS[2] latch
-- ARGV[1] channel   ARGV[2] command that publishes   ARGV[3] another one, or ''
-- ARGV[4] time to live of the latch, seconds   ARGV[5] maximum number of values
-- Returns the number of removed values; -1 if the latch exists.
-- Redisson: SetCacheEvictionTask of RedissonSetCache
local now = server_ms()
if call('exists', KEYS[2]) == 1 then
    return -1
end
local gone = call('zrangebyscore', KEYS[1], '-inf', string.format('%.0f', now), 'limit', 0, ARGV[5])
need('zrem', KEYS[1], 'pyredisson_none')
without_memory('zrem', KEYS[1], 'pyredisson_none')
call('set', KEYS[2], '1', 'ex', ARGV[4])
undo('del', KEYS[2])
local received = true
for i = 1, #gone do
    remove('zrem', KEYS[1], gone[i])
    if received then
        local message = struct.pack('Lc0', #gone[i], gone[i])
        if ARGV[3] ~= '' then
            redis.pcall(ARGV[3], ARGV[1], message)
        end
        received = (tonumber(redis.pcall(ARGV[2], ARGV[1], message)) or 0) > 0
    end
end
return #gone
