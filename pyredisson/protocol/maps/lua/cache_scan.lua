-- include: kernel/clock
-- include: cache
-- include: kernel/steps
-- include: objects/scan
-- Reads a page of entries that have not expired, and starts their idle times anew.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] cursor   ARGV[2] pattern of the keys   ARGV[3] about how many entries;
--      fewer if they are long
-- Returns the cursor of the next page, or 0; and the keys, each followed by its stored value.
-- Redisson: RedissonMapCache.scanIteratorAsync(...), readAllMapAsync() and the like
local entries, found = {}, {}
local cursor = scan_page('hscan', MAP, ARGV[1], ARGV[3], function(key, data)
    entries[#entries + 1] = read(key, data)
end, ARGV[2])
for i = 1, #entries do
    keep(entries[i])
    found[2 * i - 1], found[2 * i] = entries[i].key, entries[i].data
end
return {cursor, found}
