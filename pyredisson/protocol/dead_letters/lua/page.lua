-- Reads a page of dead letters, in the order in which they failed.
--
-- KEYS[1] dead   KEYS[2] dead letters
-- ARGV[1] first rank   ARGV[2] last rank, both included
-- Returns for each in turn its id, the epoch ms of its failure, and the letter, nil without one.
-- Redisson: none; RedissonBlockingQueue has no dead letters
local found = call('zrange', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
local page = {}
for i = 1, #found, 2 do
    page[#page + 1] = found[i]
    page[#page + 1] = found[i + 1]
    page[#page + 1] = call('hget', KEYS[2], found[i])
end
return page
