-- include: delayed/entry
-- include: groups
-- Reads the state of some open groups.
--
-- KEYS[1] open   KEYS[2] timeout set   KEYS[3] groups
-- ARGV[1] cursor, 0 to begin   ARGV[2] COUNT of HSCAN
-- Returns {the next cursor, 0 at the end; key, id, number of values and due of each group in turn}.
-- Redisson: none; RedissonDelayedQueue has no groups
local found = call('hscan', KEYS[1], ARGV[1], 'count', ARGV[2])
local page, entries = {found[1]}, found[2]
for i = 1, #entries, 2 do
    local due = call('zscore', KEYS[2], entries[i + 1])
    local token = due and value_of(entries[i + 1])
    local size, id = head_of(KEYS[3], redis.sha1hex(token or ''))
    if size then
        for _, word in ipairs({entries[i], id, size, tonumber(due)}) do
            page[#page + 1] = word
        end
    end
end
return page
