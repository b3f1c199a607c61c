-- include: kernel/clock
-- include: cache
-- Notes an access to those entries of a page that have none, so that the maximum size concerns them.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] times of idleness   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] cursor   ARGV[2] entries a page
-- Returns the cursor of the next page.
-- Redisson: none; RedissonMapCache never removes entries that were there before the maximum size
local page = call('hscan', MAP, ARGV[1], 'count', ARGV[2])
for i = 1, #page[2], 2 do
    if not call('zscore', USED, page[2][i]) then
        use(page[2][i])
    end
end
return page[1]
