-- Reads elements in small pages, so that large ones do not stop the server: a MB takes 2 to 4 ms.
--
-- within(limit, page)   returns the first elements, at most `limit`, and fewer if these have ENOUGH
--                       bytes. page(first, last, found) reads the elements at these places; `found` has
--                       those before
local ENOUGH = 524288
local LARGEST_PAGE = 32
local function within(limit, page)
    local found, count, bytes, size, last = {}, 0, 0, 2, 0
    while count == last and count < limit and bytes < ENOUGH do
        last = math.min(count + size, limit)
        local read = page(count, last - 1, found)
        for i = 1, #read do
            if bytes >= ENOUGH then
                break
            end
            count = count + 1
            found[count], bytes = read[i], bytes + #read[i]
        end
        size = math.min(4 * size, LARGEST_PAGE, math.ceil((ENOUGH - bytes) * count / bytes))
    end
    return found
end
