-- include: dead_letters/letter
-- Reads the values of some dead letters, without the rest of the letters.
--
-- KEYS[1] dead letters
-- ARGV[1] cursor, 0 at first   ARGV[2] how many at a time
-- Returns {the next cursor, 0 at the end; values}.
-- Redisson: none; RedissonBlockingQueue has no dead letters
local found, values = call('hscan', KEYS[1], ARGV[1], 'count', ARGV[2]), {}
for i = 2, #found[2], 2 do
    values[#values + 1] = value_in(found[2][i])
end
return {found[1], values}
