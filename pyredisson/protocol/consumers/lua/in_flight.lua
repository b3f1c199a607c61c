-- include: kernel/steps
-- include: delayed/behind
-- Reads a page of the messages in flight, after the message that was read last.
-- The messages are in the order in which their leases end.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] consumers
-- ARGV[1] the token that was read last, or empty   ARGV[2] the end of its lease, or -inf
-- ARGV[3] the maximum number; fewer if they are long
-- Returns {1 if there may be more, else 0; the consumers of the messages, each as one string: the
-- first 4 bytes of its tokens, then the name; for each delivery in turn its token, the end of its
-- lease and its record, or nil if it has no record}.
-- Redisson: none; RedissonBlockingQueue has no record of delivered elements
local PREFIX, MOST = 4, 10000
local page, more = page_behind(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
local wanted, names, found = {}, {}, {}
for i = 1, #page, 2 do
    local record = call('hget', KEYS[2], page[i])
    wanted[string.sub(page[i], 1, PREFIX)] = true
    found[#found + 1], found[#found + 2], found[#found + 3] = page[i], page[i + 1], record
    if record and is_much(record) and i + 1 < #page then
        more = 1
        break
    end
end
for _, called in ipairs(#found > 0 and call('zrange', KEYS[3], -MOST, -1) or {}) do
    if wanted[string.sub(called, 1, PREFIX)] then
        names[#names + 1] = called
    end
end
return {more, names, found}
