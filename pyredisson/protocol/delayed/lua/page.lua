-- include: kernel/steps
-- include: behind
-- Reads a page of pending items, the earliest first, that starts after the item that was read last.
-- If that item is gone or has another time now, the page starts with the first item of its old time.
--
-- KEYS[1] timeout set
-- ARGV[1] the packed entry that was read last, or empty   ARGV[2] its score, or -inf
-- ARGV[3] how many at most; there are fewer if they are long
-- Returns {1 if there may be more, else 0; steps of the page: entries and scores in turn}.
-- Redisson: none; RedissonDelayedQueue reads its list, which has no times
local start, steps = place_behind(KEYS[1], ARGV[1], ARGV[2]), {}
local more = in_steps(ARGV[3], 1, function(done, count)
    local first = start + done
    local some = call('zrange', KEYS[1], first, first + count - 1, 'WITHSCORES')
    steps[#steps + 1] = some
    return some, #some < 2 * count
end)
return {more, steps}
