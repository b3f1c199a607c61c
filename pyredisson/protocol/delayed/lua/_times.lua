-- Reads the microsecond of the offer out of an id of ours (protocol/delayed/item_id).
--
-- time_of(member)   nil of any other member
-- first_time(page, from, to, step)   of the first in a part of the list that has one
local function time_of(member)
    local size, letter, a, b, c, d, e, f, g = string.byte(member, 1, 9)
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
