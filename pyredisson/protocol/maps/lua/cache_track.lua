-- include: kernel/clock
-- include: cache
-- include: kernel/steps
-- include: objects/scan
-- Notes an access to those entries of a page that have none, so that the maximum size concerns them.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] times of idleness   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] cursor   ARGV[2] entries a page; fewer if they are long
-- Returns the cursor of the next page.
-- Redisson: none; RedissonMapCache never removes entries that were there before the maximum size
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
