-- include: kernel/steps
-- include: delayed/behind
-- Reads the dead letters after the one that was read last, in the order in which they failed.
-- If that letter was removed or has another time, the page starts with the first letter of its old
-- time.
--
-- KEYS[1] dead   KEYS[2] dead letters
-- ARGV[1] the id that was read last, or empty   ARGV[2] the epoch ms of its failure, or -inf
-- ARGV[3] maximum number of letters; the page has fewer if they are long
-- Returns {1 if there may be more, else 0; for each in turn its id, the epoch ms of its failure,
-- and the letter, or nil if there is none}.
-- Redisson: none; RedissonBlockingQueue has no dead letters
local found, more = page_behind(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
local page = {}
for i = 1, #found, 2 do
    local letter = call('hget', KEYS[2], found[i])
    page[#page + 1] = found[i]
    page[#page + 1] = found[i + 1]
    page[#page + 1] = letter
    if letter and is_much(letter) and i + 1 < #found then
        more = 1
        break
    end
end
return {more, page}
