-- Makes a run the only one that adds items of a migration to this queue.
--
-- KEYS[1] record of the migration, in the slot of the queue that gets the items
-- ARGV[1] id of the migration   ARGV[2] run   ARGV[3] 1 if the record may be missing, else 0
-- Returns {batch that was added last or false, its size, places of its items that stay}; 0 if the
-- record is of another migration; 1 if the record is missing, but must exist.
-- Redisson: none; RedissonDelayedQueue cannot be moved
local known = call('hmget', KEYS[1], 'id', 'batch', 'size', 'stay')
if known[1] and known[1] ~= ARGV[1] then
    return 0
end
if not known[1] and ARGV[3] ~= '1' then
    return 1
end
call('hset', KEYS[1], 'id', ARGV[1], 'run', ARGV[2])
return {known[2], known[3], known[4]}
