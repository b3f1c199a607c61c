-- Returns the value of a packed entry of either format, or nil if the bytes have neither (poison).
-- Ids of 8 bytes are tried first, because Redisson writes no others. The old format is tried next:
-- the first byte of an old entry may be another id length that fits the value by chance.
local byte, sub, number_at = string.byte, string.sub, struct.unpack
local function value_of(entry)
    local size, first = #entry, byte(entry, 1)
    if first == 8 and size > 16 and number_at('<L', entry, 10) == size - 17 then
        return sub(entry, 18)
    end
    if size > 15 and byte(entry, 9) == (size - 16) % 256
            and number_at('<L', entry, 9) == size - 16 then
        return sub(entry, 17)
    end
    if first and size > first + 8 and number_at('<L', entry, first + 2) == size - first - 9 then
        return sub(entry, first + 10)
    end
    return nil
end
