-- Tells from which end of a delay list LREM gets to a member sooner: it passes along the list.
-- Where the list is long, the time in an id of ours and that in the middle of the list tell.
--
-- end_near(list, size, member)   1 from its head, else -1
local LONG = 500
local function end_near(list, size, member)
    local time = time_of(member)
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
