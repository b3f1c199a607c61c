-- include: kernel/steps
-- include: behind
-- Reads a page of the pending items after the item that was read last, the earliest first.
-- If that item is not pending or has another due time, the page starts at its old due time.
--
-- KEYS[1] timeout set
-- ARGV[1] the packed entry that was read last, or empty   ARGV[2] its score, or -inf
-- ARGV[3] how many items at most; the page has fewer items if they are long
-- Returns {1 if more items may follow, else 0; steps of the page: entries and scores in turn}.
-- Redisson: none; RedissonDelayedQueue reads its list, which has no times
local start, steps = place_behind(KEYS[1], ARGV[1], ARGV[2]), {}
local more = in_steps(ARGV[3], 1, function(done, count)
    local first = start + done
    local some = call('zrange', KEYS[1], first, first + count - 1, 'WITHSCORES')
    steps[#steps + 1] = some
    return some, #some < 2 * count
end)
return {more, steps}
