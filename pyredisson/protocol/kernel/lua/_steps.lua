-- Reads in small steps, and stops after large elements, so that no script blocks the server for
-- long. To read a MB takes 2 to 4 ms. STEP elements of 100 KB, read after small ones, take 6 ms.
--
-- is_much(element)   adds the length of an element that was read to a sum; returns whether the sum
--                 has reached ENOUGH bytes
-- in_steps(limit, first, read)   reads up to `limit` elements in steps. The first step reads
--                 `first` elements. For each step, read(done, count) reads `count` elements after
--                 the first `done` elements; it returns these elements, and true if no others
--                 follow. Returns 1 if there may be more, else 0
-- within(limit, page, bytes)   returns the first elements, and the sum of their bytes: `limit`
--                 elements, or fewer if the sum reaches ENOUGH. The sum begins with `bytes`, by
--                 default 0. page(first, last, found) returns the elements at the places from
--                 `first` to `last`, counted from 0; `found` has the elements before these
local ENOUGH = 524288
local STEP = 32
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
local function within(limit, page, bytes)
    local found, count, size, last = {}, 0, 2, 0
    bytes = bytes or 0
    while count == last and count < limit and bytes < ENOUGH do
        last = math.min(count + size, limit)
        local read, before = page(count, last - 1, found), bytes
        for i = 1, #read do
            if bytes >= ENOUGH then
                break
            end
            count = count + 1
            found[count], bytes = read[i], bytes + #read[i]
        end
        size = math.min(4 * size, STEP, math.ceil((ENOUGH - bytes) * size / (bytes - before)))
    end
    return found, bytes
end
