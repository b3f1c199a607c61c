-- Reads dead letters, those that failed first first.
--
-- KEYS[1] dead   KEYS[2] dead letters
-- ARGV[1] first   ARGV[2] last, both included
-- Returns id, epoch ms of its failure, and letter of each in turn.
-- Redisson: none; RedissonBlockingQueue has no dead letters
local found = call('zrange', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
local page = {}
for i = 1, #found, 2 do
    page[#page + 1] = found[i]
    page[#page + 1] = found[i + 1]
    page[#page + 1] = call('hget', KEYS[2], found[i])
end
return page
