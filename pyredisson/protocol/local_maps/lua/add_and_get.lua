-- include: kernel/clock
-- include: publish
-- Adds a number to a value, logs the change, and publishes the message unless it is ''.
--
-- KEYS[1] map   KEYS[2] channel   KEYS[3] log of changes
-- ARGV[1] command that publishes   ARGV[2] another one, or ''   ARGV[3] message
-- ARGV[4] key   ARGV[5] number   ARGV[6] member of the log
-- Returns the sum.
-- Redisson: RedissonLocalCachedMap.addAndGetOperationAsync(Object, Number)
local old = call('hget', KEYS[1], ARGV[4])
local sum = call('hincrbyfloat', KEYS[1], ARGV[4], ARGV[5])
if old then
    undo('hset', KEYS[1], ARGV[4], old)
else
    undo('hdel', KEYS[1], ARGV[4])
end
log_change(ARGV[6])
publish(ARGV[1], ARGV[2], ARGV[3])
return sum
