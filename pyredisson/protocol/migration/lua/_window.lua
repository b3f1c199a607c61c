-- Reads items of a queue or a migration, from a place on.
-- The script's first five keys are the keys of this queue or migration.
--
-- window(kind, start, size)   kind: pending, ready or dead; `start` counts from 0. Returns for each
--                             item {entry, score or false}, {value} or {id, time, letter or false}.
--                             Of equal entries, only the first one has a score
local function window(kind, start, size)
    local found, seen, stop = {}, {}, start + size - 1
    if kind == 'dead' then
        local times = call('zrange', KEYS[4], start, stop, 'withscores')
        for i = 1, #times, 2 do
            found[#found + 1] = {times[i], times[i + 1], call('hget', KEYS[5], times[i])}
        end
        return found
    end
    local elements = call('lrange', kind == 'ready' and KEYS[3] or KEYS[1], start, stop)
    for i = 1, #elements do
        local entry = elements[i]
        if kind == 'ready' then
            found[i] = {entry}
        else
            found[i] = {entry, not seen[entry] and call('zscore', KEYS[2], entry)}
            seen[entry] = true
        end
    end
    return found
end
