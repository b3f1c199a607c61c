-- include: kernel/clock
-- include: cache
-- Counts the entries, and those of them that have expired, a page at a time.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] times of idleness   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] expired entries on the pages before   ARGV[2] entries a page
-- Returns the number of entries; how many of this page have expired; and 1 if there is another page.
-- Redisson: RedissonMapCache.sizeAsync(), which counts expired entries
local over, more = 0, 0
for _, set in ipairs({EXPIRES, IDLES}) do
    local page = call('zrangebyscore', set, '-inf', now, 'limit', ARGV[1], ARGV[2])
    for i = 1, #page do
        local is_there = call('hstrlen', MAP, page[i]) > 0
        if is_there and (set == EXPIRES or not is_over(call('zscore', EXPIRES, page[i]))
                and idle_of(call('hget', MAP, page[i])) ~= 0) then
            over = over + 1
        end
    end
    more = #page == tonumber(ARGV[2]) and 1 or more
end
return {call('hlen', MAP), over, more}
