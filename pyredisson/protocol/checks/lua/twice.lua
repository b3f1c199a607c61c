-- Finds entries that are in the delay list several times. A repair leaves only the first of each.
-- LPOS searches the list once for each entry, so callers pass fewer entries if the list is longer.
--
-- KEYS[1] delay list
-- ARGV look or repair; then entries
-- Returns the entries that were in the list several times.
-- Redisson: none; RedissonDelayedQueue up to 3.16.3 sends an offer again when its reply is lost
local action, twice, more = table.remove(ARGV, 1), {}, {}
if action == 'repair' then
    need('lrem', KEYS[1], 'none', '')
end
for i = 1, #ARGV do
    local places = call('lpos', KEYS[1], ARGV[i], 'COUNT', action == 'repair' and 0 or 2)
    if #places > 1 then
        twice[#twice + 1], more[#more + 1] = ARGV[i], #places - 1
    end
end
if action == 'repair' then
    for i = 1, #twice do
        call('lrem', KEYS[1], -more[i], twice[i])
        for _ = 1, more[i] do
            undo('rpush', KEYS[1], twice[i])
        end
    end
end
return twice
