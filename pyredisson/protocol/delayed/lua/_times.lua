-- Reads the microsecond of the offer from a pyredisson id (protocol/delayed/item_id).
--
-- time_of(entry)   returns the microsecond, or nil for an entry without such an id
-- first_time(page, from, to, step)   returns the first such time in a part of a page, or nil
local function time_of(entry)
    local size, letter, a, b, c, d, e, f, g = string.byte(entry, 1, 9)
    if size == 16 and letter == 80 and g then
        return (((((a * 256 + b) * 256 + c) * 256 + d) * 256 + e) * 256 + f) * 256 + g
    end
end
local function first_time(page, from, to, step)
    for i = from, to, step do
        local time = time_of(page[i])
        if time then
            return time
        end
    end
end
