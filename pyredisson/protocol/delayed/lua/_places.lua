-- Takes members out of the delay list as `LREM 1` for each would: the first of equal entries.
-- LREM passes along the list for every member, 20 ns an entry. Here
--   what stands at the head, as items do that are due in the order of the offers, is trimmed off;
--   in a long list the time in an id of ours tells where to look;
--   for many others the list is read once;
-- and what was found in the middle is overwritten with a mark, which one LREM takes out.
--
-- find(members, all)   where they stand; reads only. nil where LREM for each is as good, or where
--                 the user may not do more than that; and the members, or only the first of them
--                 where it would take long and need not be all
-- take(found, members)   takes them out
--
-- Measured:
-- SHORT   entries times members up to which LREM for each is as fast
-- LONG    entries from which on a search by time pays
-- SEARCH  entries that are read in the time of a search
-- FEW     members up to which LREM for each is as fast as reading the list
-- WORK    entries times members that a search by time finds in about 0.1 s
-- PAGE, HALF, WIDE  entries that are read at once; about a guess, to each side; in vain, likewise
local SHORT = 500
local LONG = 10000
local SEARCH = 40
local FEW = 32
local WORK = 150000000
local PAGE = 500
local HALF = 16
local WIDE = 128
local function entries(first, last)
    return call('lrange', KEYS[3], first, last)
end
-- At the head: what is due there, and what is not, up to the last that is.
local function find_in_front(found, members)
    local front = entries(0, #members - 1)
    local same, most = 0, #front
    while same < most and front[same + 1] == members[same + 1] do
        same = same + 1
    end
    found.missing = #members - same
    for i = same + 1, #members do
        found.wanted[members[i]] = true
    end
    local places, others, last = {}, {}, 0
    for i = same + 1, found.missing > 0 and most or 0 do
        if found.wanted[front[i]] then
            found.wanted[front[i]] = nil
            places[#places + 1] = i - 1
            last = #others
        else
            others[#others + 1] = front[i]
        end
    end
    found.missing = found.missing - #places
    if #places > 0 and #places >= last then
        found.trimmed, found.kept = same + #places, {unpack(others, 1, last)}
    else
        found.trimmed, found.places = same, places
    end
end
-- By the time in the id. A search starts from the place that was found last, and believes that the
-- list goes on as dense as over the last eight.
local function page_with(member, first, last)
    local page = entries(first, last)
    for i = 1, #page do
        if page[i] == member then
            return page, first + i - 1
        end
    end
    return page
end
-- What was offered together stands closer than the list is dense.
local function entries_in(span, here, density)
    return here * span < WIDE and here * span or density * span
end
local function search(member, time, known, size)
    local density = known.density
    local low, high = math.max(0, known.place - WIDE), size - 1
    local guess = known.place + density * (time - known.time)
    local first, last
    for step = 1, 20 do
        guess = math.max(low, math.min(high, math.floor(guess)))
        first, last = math.max(low, guess - HALF), math.min(high, guess + HALF)
        local page, place = page_with(member, first, last)
        if place then
            return place
        end
        local from, to = first_time(page, 1, #page, 1), first_time(page, #page, 1, -1)
        local here = from and to and to > from and (#page - 1) / (to - from) or density
        if from and time <= from then
            high, guess = first - 1, first - entries_in(from - time, here, density)
        elseif to and time >= to then
            low, guess = last + 1, last + entries_in(time - to, here, density)
        else
            break
        end
        if low > high then
            break
        elseif step > 4 then
            guess = (low + high) / 2
        end
    end
    local _, place = page_with(member, math.max(0, first - WIDE), last + WIDE)
    return place
end
local function ours_by_time(found)
    local times, at, count = {}, {}, 0
    for member in pairs(found.wanted) do
        local time = time_of(member)
        if time then
            if not at[time] then
                times[#times + 1], at[time] = time, {}
            end
            table.insert(at[time], member)
            count = count + 1
        end
    end
    table.sort(times)
    return times, at, count
end
local function find_by_time(found, times, at, count)
    local front, back = entries(0, 2 * HALF), entries(-2 * HALF, -1)
    local start, stop = first_time(front, 1, #front, 1), first_time(back, #back, 1, -1)
    if found.missing - count > FEW or not (start and stop) then
        return
    end
    local known, ring, misses = {place = 0, time = start, density = 0}, {}, 0
    if stop > start then
        known.density = (found.size - 1) / (stop - start)
    end
    for _, time in ipairs(times) do
        for _, member in ipairs(at[time]) do
            local place = search(member, time, known, found.size)
            if place then
                found.wanted[member] = nil
                found.missing = found.missing - 1
                found.places[#found.places + 1] = place
                local before = ring[#ring - 7]
                if before and place > before.place and time > before.time then
                    known.density = (place - before.place) / (time - before.time)
                end
                known.place, known.time = place, time
                ring[#ring + 1] = {place = place, time = time}
            else
                misses = misses + 1
                if misses > FEW then
                    return
                end
            end
        end
    end
end
-- One after the other: what is not found is not there.
local function find_by_reading(found, start)
    local wanted, places = found.wanted, found.places
    for first = start, found.size - 1, PAGE do
        local page = entries(first, first + PAGE - 1)
        for i = 1, #page do
            local member = page[i]
            if wanted[member] then
                wanted[member] = nil
                places[#places + 1] = first + i - 1
                found.missing = found.missing - 1
                if found.missing == 0 then
                    return
                end
            end
        end
    end
    found.wanted = {}
end
local function find(members, all)
    if #members < 2 then
        return nil, members
    end
    local size, timed = redis.pcall('llen', KEYS[3]), redis.pcall('zcard', KEYS[2])
    if failed(size) or failed(timed) or size * #members < SHORT
            or denied('lrange', KEYS[3], 'x', 'x') or denied('lset', KEYS[3], 'x', '')
            or denied('ltrim', KEYS[3], 'x', 'x') then
        return nil, members
    end
    local found = {size = size, wanted = {}, places = {}, kept = {}, trimmed = 0}
    find_in_front(found, members)
    if size >= LONG and size == timed and found.missing > 0 and found.missing * SEARCH < size then
        local times, at, count = ours_by_time(found)
        local most = math.max(FEW, math.floor(WORK / size))
        if not all and count > most and found.missing - count <= FEW then
            return find({unpack(members, 1, most)})
        end
        find_by_time(found, times, at, count)
    end
    if found.missing > FEW then
        find_by_reading(found, #members)
    end
    return found, members
end
local function take(found, members)
    local list = KEYS[3]
    if not found then
        for i = 1, #members do
            call('lrem', list, 1, members[i])
        end
        return
    end
    local places, kept = found.places, found.kept
    for i = #kept, 1, -1 do
        call('lset', list, found.trimmed + i - 1, kept[i])
    end
    if #places > 0 then
        local mark = 'pyredisson_gone_' .. redis.sha1hex(members[1])
        local low, high = places[1], places[1]
        for i = 1, #places do
            local place = places[i]
            call('lset', list, place, mark)
            low, high = math.min(low, place), math.max(high, place)
        end
        call('lrem', list, high <= found.size - low and #places or -#places, mark)
    end
    if found.trimmed > 0 then
        call('ltrim', list, found.trimmed, -1)
    end
    for member in pairs(found.wanted) do
        call('lrem', list, 1, member)
    end
end
