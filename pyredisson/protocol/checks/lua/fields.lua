-- Reads field names of a hash, without their values.
--
-- KEYS[1] hash
-- ARGV[1] cursor, 0 at first   ARGV[2] how many at a time
-- Returns {the next cursor, 0 at the end; names}.
-- Redisson: none; RedissonMap reads values as well
local found = call('hscan', KEYS[1], ARGV[1], 'count', ARGV[2])
local names, pairs_of = {}, found[2]
for i = 1, #pairs_of, 2 do
    names[#names + 1] = pairs_of[i]
end
return {found[1], names}
