-- Reads elements in small pages, so that large ones do not stop the server: a MB takes 2 to 4 ms.
--
-- within(limit, page, bytes)   returns the first elements, at most `limit`, and fewer if these have
--                       ENOUGH bytes; also returns these bytes. page(first, last, found) reads the
--                       elements at these places; `found` has those before. `bytes` were read before
local ENOUGH = 524288
local LARGEST_PAGE = 32
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
        size = math.min(4 * size, LARGEST_PAGE, math.ceil((ENOUGH - bytes) * size / (bytes - before)))
    end
    return found, bytes
end
