-- include: kernel/clock
-- Reads a page of the values that have not expired.
--
-- KEYS[1] sorted set of times, ms
-- ARGV[1] cursor   ARGV[2] pattern of the bytes   ARGV[3] number of values, about
-- Returns the cursor of the next page, or 0, and the values.
-- Redisson: RedissonSetCache.scanIteratorAsync(String, RedisClient, String, String, int)
local now = server_ms()
local page, live = call('zscan', KEYS[1], ARGV[1], 'match', ARGV[2], 'count', ARGV[3]), {}
for i = 1, #page[2], 2 do
    if tonumber(page[2][i + 1]) > now then
        live[#live + 1] = page[2][i]
    end
end
return {page[1], live}
