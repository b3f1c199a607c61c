-- include: kernel/clock
-- include: cache
-- include: kernel/steps
-- include: objects/scan
-- On a page of entries, notes an access to each entry that has none.
-- Without a noted access, the maximum size does not apply to an entry.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] cursor   ARGV[2] about how many entries; fewer if they are long
-- Returns the cursor of the next page, or 0.
-- Redisson: none; RedissonMapCache never removes entries that are older than the maximum size
local keys = {}
local cursor = scan_page('hscan', MAP, ARGV[1], ARGV[2], function(key)
    keys[#keys + 1] = key
end)
for i = 1, #keys do
    if not call('zscore', USED, keys[i]) then
        use(keys[i])
    end
end
return cursor
