-- The log of a rate limiter is a sorted set with an entry for each acquisition. The score is the
-- time in epoch ms. The member has the length of the id (1 byte), the id, and the number of permits
-- (4 bytes, little-endian). An entry is over after the interval that begins at its score.
--
-- MOST                the maximum number of entries that one command reads
-- sum(entries, step)  returns the sum of the permits of elements 1, 1 + step, 1 + 2 * step, ...
local MOST = 1000
local function sum(entries, step)
    local permits = 0
    for i = 1, #entries, step do
        permits = permits + struct.unpack('<I4', entries[i], #entries[i] - 3)
    end
    return permits
end
