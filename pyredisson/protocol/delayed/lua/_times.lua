-- Reads the microsecond of the offer from a pyredisson id (protocol/delayed/item_id).
--
-- time_of(entry)   returns it, or nil for any other entry
-- first_time(page, from, to, step)   returns that of the first entry in a part of a page that has one
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
