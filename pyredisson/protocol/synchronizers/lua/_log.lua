-- The log of a rate limiter has an entry for each acquisition: score when (ms), length (1) and bytes of
-- the id, permits (4, little-endian). An entry is over after the interval.
--
-- MOST                how many entries are read at once
-- sum(entries, step)  the permits of entries
local MOST = 1000
local function sum(entries, step)
    local permits = 0
    for i = 1, #entries, step do
        permits = permits + struct.unpack('<I4', entries[i], #entries[i] - 3)
    end
    return permits
end
