-- Finds the end of a delay list from which LREM, a linear search, reaches an entry sooner.
-- In a long list, compares the time in a pyredisson id with the time in the middle of the list.
--
-- end_near(list, size, entry)   returns the count for LREM: 1 if the entry is probably nearer to
--                               the head, else -1
local LONG = 500
local function end_near(list, size, entry)
    local time = time_of(entry)
    if time and size > LONG and not denied('lrange', list, 'x', 'x') then
        local middle = math.floor(size / 2)
        local page = call('lrange', list, middle, middle + 9)
        local there = first_time(page, 1, #page, 1)
        if there and time < there then
            return 1
        end
    end
    return -1
end
