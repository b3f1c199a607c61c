-- include: kernel/clock
-- include: cache
-- Reads a page of entries that have not expired, and starts their idle times anew.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] times of idleness   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] cursor   ARGV[2] pattern of the keys   ARGV[3] entries a page
-- Returns the cursor of the next page; and the keys with their stored values.
-- Redisson: RedissonMapCache.scanIteratorAsync(...), readAllMapAsync() and the like
local page = call('hscan', MAP, ARGV[1], 'match', ARGV[2], 'count', ARGV[3])
local entries, found = {}, {}
for i = 1, #page[2], 2 do
    entries[#entries + 1] = read(page[2][i], page[2][i + 1])
end
for i = 1, #entries do
    keep(entries[i])
    found[2 * i - 1], found[2 * i] = entries[i].key, entries[i].data
end
return {page[1], found}
