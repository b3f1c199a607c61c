-- include: kernel/clock
-- include: kernel/steps
-- include: objects/scan
-- Reads a page of the values that have not expired.
--
-- KEYS[1] sorted set of times, ms
-- ARGV[1] cursor   ARGV[2] pattern of the bytes   ARGV[3] about how many values;
--      fewer if they are long
-- Returns the cursor of the next page, or 0, and the values.
-- Redisson: RedissonSetCache.scanIteratorAsync(String, RedisClient, String, String, int)
local now, live = server_ms(), {}
local cursor = scan_page('zscan', KEYS[1], ARGV[1], ARGV[3], function(value, time)
    if tonumber(time) > now then
        live[#live + 1] = value
    end
end, ARGV[2])
return {cursor, live}
