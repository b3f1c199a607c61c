-- include: kernel/steps
-- include: objects/scan
-- include: dead_letters/letter
-- Reads the values of some dead letters, without the rest of the letters.
--
-- KEYS[1] dead letters
-- ARGV[1] cursor, 0 for the first page   ARGV[2] letters a page; fewer if they are long
-- Returns {the next cursor, 0 at the end; values}.
-- Redisson: none; RedissonBlockingQueue has no dead letters
local values = {}
local cursor = scan_page('hscan', KEYS[1], ARGV[1], ARGV[2], function(_, letter)
    values[#values + 1] = value_in(letter)
end)
return {cursor, values}
