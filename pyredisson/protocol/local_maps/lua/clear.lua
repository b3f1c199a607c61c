-- include: kernel/clock
-- include: publish
-- Logs a change of all keys of a map, and publishes the message unless it is ''.
-- Deletes the map if ARGV[5] is 'del'.
--
-- KEYS[1] map   KEYS[2] channel   KEYS[3] log of changes
-- ARGV[1] command that publishes   ARGV[2] another one, or ''   ARGV[3] message
-- ARGV[4] member of the log that stands for all keys   ARGV[5] 'del' to delete the map, or ''
-- Returns 1 if the map existed, else 0.
-- Redisson: RedissonLocalCachedMap.deleteAsync()
if ARGV[5] == 'del' then
    need('del', KEYS[1])
end
without_memory('pexpire', KEYS[3], '')
local existed = call('exists', KEYS[1])
log_change(ARGV[4])
publish(ARGV[1], ARGV[2], ARGV[3])
if ARGV[5] == 'del' then
    remove('del', KEYS[1])
end
return existed
