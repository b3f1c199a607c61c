-- Removes entries from the delay list, with the same result as `LREM 1` for each entry, which
-- removes the first of equal elements. But each LREM searches the list, 20 ns per element. This is
-- faster:
--   entries at the head, such as items that fall due in the order of the offers, are trimmed off;
--   in a long list, the time in a pyredisson id is used to guess an entry's position;
--   for many other entries, the list is read once;
--   entries found in the middle are overwritten with a mark, and one LREM removes all marks.
--
-- find(entries, all)   returns their positions and the entries; reads only. The positions are nil
--                 if LREM for each is as fast, or if the user has no permission for other commands.
--                 Without `all`, returns only the first entries if the search for all of them
--                 would take too long
-- take(found, entries)   removes the entries; `found` has the positions that `find` returned
-- enough_of(entries)   returns how many entries a call takes at most, judged by its first entries:
--                 SEARCHED if all must be searched by time, FEW if each needs LREM in a list that
--                 is too large to be read, else infinity
--
-- Measured:
-- SHORT   length of the list times wanted entries, up to which LREM for each is as fast
-- LONG    length of the list from which a search by time is faster
-- SEARCH  elements that are read in the time of one search
-- FEW     wanted entries up to which LREM for each is as fast as reading the list
-- SEARCHED  wanted entries that a call searches by time, at most
-- WORK    length of the list times such entries, at most
-- READS   elements that are read for one search by time, on average
-- BYTES   bytes of elements that a call reads, at most, if their average length is more than SMALL
-- PASSED  elements that all LREM of a call pass, at most, if the list is too large to be read
-- PAGE    elements that are read at once
-- HALF    elements that are read on each side of a guess
-- WIDE    elements that are read on each side if a search fails
local SHORT = 500
local LONG = 10000
local SEARCH = 40
local FEW = 32
local SEARCHED = 150
local WORK = 80000000
local READS = 50
local BYTES = 4194304
local SMALL = 512
local PASSED = 160000
local PAGE = 500
local HALF = 8
local WIDE = 128
local read_bytes, read_elements = 0, 0
local function list_page(first, last)
    local page = call('lrange', KEYS[3], first, last)
    for i = 1, #page do
        read_bytes = read_bytes + #page[i]
    end
    read_elements = read_elements + #page
    return page
end
-- Returns how many more elements the call can read, if they have the average length so far.
local function readable()
    local each = read_bytes / read_elements
    return each > SMALL and (BYTES - read_bytes) / each or math.huge
end
local function count_equal(page, entries, from)
    for i = 1, #page do
        if page[i] ~= entries[from + i] then
            return i - 1
        end
    end
    return #page
end
-- Finds wanted entries near the head, and the other elements before the last of these entries.
local function find_in_front(found, entries)
    local same, size, page, equal = 0, 2, nil, nil
    repeat
        page = call('lrange', KEYS[3], same, math.min(same + size, #entries) - 1)
        equal = count_equal(page, entries, same)
        same, size = same + equal, math.min(4 * size, STEP)
    until same == #entries or equal < #page or equal == 0
    found.missing = #entries - same
    for i = same + 1, #entries do
        found.wanted[entries[i]] = true
    end
    local front = within(found.missing, function(first, last)
        return list_page(same + first, same + last)
    end)
    found.front = same + #front
    local places, others, last = {}, {}, 0
    for i = 1, #front do
        if found.wanted[front[i]] then
            found.wanted[front[i]] = nil
            places[#places + 1] = same + i - 1
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
-- Finds entries by the time in the id. A search starts from the position found last. It assumes
-- the density (elements per microsecond) between this position and that of eight entries before.
local function page_with(entry, first, last)
    local page = list_page(first, last)
    for i = 1, #page do
        if page[i] == entry then
            return page, first + i - 1
        end
    end
    return page
end
-- For a short distance, uses the density of the page, because items that were offered together are
-- closer in time than the average.
local function places_in(span, here, density)
    return here * span < WIDE and here * span or density * span
end
local function search(entry, time, known, size)
    local density = known.density
    local low, high = math.max(0, known.place - WIDE), size - 1
    local guess = known.place + density * (time - known.time)
    local first, last
    for step = 1, 20 do
        guess = math.max(low, math.min(high, math.floor(guess)))
        first, last = math.max(low, guess - HALF), math.min(high, guess + HALF)
        local page, place = page_with(entry, first, last)
        if place then
            return place
        end
        local from, to = first_time(page, 1, #page, 1), first_time(page, #page, 1, -1)
        local here = from and to and to > from and (#page - 1) / (to - from) or density
        if from and time <= from then
            high, guess = first - 1, first - places_in(from - time, here, density)
        elseif to and time >= to then
            low, guess = last + 1, last + places_in(time - to, here, density)
        else
            break
        end
        if low > high then
            break
        elseif step > 4 then
            guess = (low + high) / 2
        end
    end
    local _, place = page_with(entry, math.max(0, first - WIDE), last + WIDE)
    return place
end
local function ours_by_time(found)
    local times, at, count = {}, {}, 0
    for entry in pairs(found.wanted) do
        local time = time_of(entry)
        if time then
            if not at[time] then
                times[#times + 1], at[time] = time, {}
            end
            table.insert(at[time], entry)
            count = count + 1
        end
    end
    table.sort(times)
    return times, at, count
end
local function find_by_time(found, times, at, count)
    local front, back = list_page(0, 2 * HALF), list_page(-2 * HALF, -1)
    local start, stop = first_time(front, 1, #front, 1), first_time(back, #back, 1, -1)
    if found.missing - count > FEW or not (start and stop) then
        return
    end
    local known, ring, misses = {place = 0, time = start, density = 0}, {}, 0
    if stop > start then
        known.density = (found.size - 1) / (stop - start)
    end
    for _, time in ipairs(times) do
        for _, entry in ipairs(at[time]) do
            if readable() < 0 then
                return
            end
            local place = search(entry, time, known, found.size)
            if place then
                found.wanted[entry] = nil
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
-- Reads the rest of the list. Wanted entries that are not found up to its end are not in the list.
local function find_by_reading(found, start)
    local wanted, places = found.wanted, found.places
    for first = start, found.size - 1, PAGE do
        if readable() < PAGE then
            return
        end
        local page = list_page(first, first + PAGE - 1)
        for i = 1, #page do
            local entry = page[i]
            if wanted[entry] then
                wanted[entry] = nil
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
local function enough_of(entries)
    local size, front, others = redis.pcall('llen', KEYS[3]), {}, 0
    if failed(size) or size * FEW < PASSED or denied('lrange', KEYS[3], 'x', 'x') then
        return math.huge
    end
    for _, element in ipairs(within(FEW, list_page)) do
        front[element] = true
    end
    for i = 1, #entries do
        if front[entries[i]] then
            return math.huge
        end
        others = others + (time_of(entries[i]) and 0 or 1)
    end
    if size >= LONG and others * SEARCHED <= FEW * #entries then
        return SEARCHED
    end
    return readable() < size and FEW or math.huge
end
local function find(entries, all)
    if #entries < 2 then
        return nil, entries
    end
    local size, timed = redis.pcall('llen', KEYS[3]), redis.pcall('zcard', KEYS[2])
    if failed(size) or failed(timed) or size * #entries < SHORT
            or denied('lrange', KEYS[3], 'x', 'x') or denied('lset', KEYS[3], 'x', '')
            or denied('ltrim', KEYS[3], 'x', 'x') then
        return nil, entries
    end
    local found = {size = size, wanted = {}, places = {}, kept = {}, trimmed = 0}
    find_in_front(found, entries)
    local left = readable()
    if size >= LONG and size == timed and found.missing > 0
            and (found.missing * SEARCH < size or left < size) then
        local times, at, count = ours_by_time(found)
        local most = math.max(1, math.min(SEARCHED, WORK / size, left / READS))
        if not all and count > most and found.missing - count <= FEW then
            return find({unpack(entries, 1, most)})
        end
        find_by_time(found, times, at, count)
    end
    if found.missing > FEW and not all and left < size then
        return nil, {unpack(entries, 1, math.max(1, math.min(FEW, PASSED / size)))}
    elseif found.missing > FEW then
        find_by_reading(found, found.front)
    end
    return found, entries
end
local function take(found, entries)
    local list = KEYS[3]
    if not found then
        for i = 1, #entries do
            call('lrem', list, 1, entries[i])
        end
        return
    end
    local places, kept = found.places, found.kept
    for i = #kept, 1, -1 do
        call('lset', list, found.trimmed + i - 1, kept[i])
    end
    if #places > 0 then
        local mark = 'pyredisson_gone_' .. redis.sha1hex(entries[1])
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
    for entry in pairs(found.wanted) do
        call('lrem', list, 1, entry)
    end
end
