-- Reads the entries of a schedule whose pending occurrence is due, the earliest first.
--
-- KEYS[1] times   KEYS[2] entries
-- ARGV[1] now, epoch ms   ARGV[2] how many entries to skip   ARGV[3] maximum number of entries
-- Returns the first time after now, or false; then the name and record of each due entry in turn.
-- The record is '' if only the due time is stored.
-- Redisson: none; RedissonExecutorService schedules each task again after it ran
local later = call('zrangebyscore', KEYS[1], '(' .. ARGV[1], '+inf', 'withscores', 'limit', 0, 1)
local reply = {later[2] or false}
local due = call('zrangebyscore', KEYS[1], '-inf', ARGV[1], 'limit', ARGV[2], ARGV[3])
for i = 1, #due do
    reply[2 * i] = due[i]
    reply[2 * i + 1] = call('hget', KEYS[2], due[i]) or ''
end
return reply
