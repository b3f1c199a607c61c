-- include: kernel/clock
-- include: cache
-- Counts all entries, and the expired entries of a page.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV[1] offset of the page in each sorted set   ARGV[2] members a page
-- Returns the number of all entries; the number of expired entries on this page; and 1 if another
-- page may follow, else 0.
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
