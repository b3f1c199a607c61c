-- Pages that end early where elements are long, so that no script keeps the server busy.
--
-- is_much(element)   counts an element that was read; returns true once the page has enough bytes
-- in_steps(limit, first, read)   reads up to `limit` elements in steps, the first of `first` elements:
--                 read(done, count) reads `count` elements behind the `done` that were read, and returns
--                 them, and whether they are the last ones. Returns 1 if there may be more, else 0
--
-- Measured: 500 pending items of 100 bytes take 0.51 ms instead of 0.43 ms in one step. STEP elements of
-- 100 KB, which a page has if they follow short ones, take 6 ms
local ENOUGH, STEP = 524288, 32
local bytes_read = 0
local function is_much(element)
    bytes_read = bytes_read + #element
    return bytes_read >= ENOUGH
end
local function in_steps(limit, first, read)
    local done, count, bytes = 0, first, 1
    limit = tonumber(limit)
    while done < limit and bytes < ENOUGH do
        count = math.min(count, limit - done)
        local some, is_last = read(done, count)
        for i = 1, #some do
            bytes = bytes + #some[i]
        end
        if is_last then
            return 0
        end
        done = done + count
        count = math.max(1, math.min(4 * count, STEP, math.floor((ENOUGH - bytes) * done / bytes)))
    end
    return 1
end
