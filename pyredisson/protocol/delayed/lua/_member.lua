-- Reads a packed member of either format; nil when it is neither (poison).
-- Ids of 8 bytes are asked for first, as Redisson writes no others: a shorter or longer one may be
-- the first byte of an old member, whose value then has a length in it by chance.
local byte, sub, number_at = string.byte, string.sub, struct.unpack
local function value_of(member)
    local size, first = #member, byte(member, 1)
    if first == 8 and size > 16 and number_at('<L', member, 10) == size - 17 then
        return sub(member, 18)
    end
    if size > 15 and byte(member, 9) == (size - 16) % 256
            and number_at('<L', member, 9) == size - 16 then
        return sub(member, 17)
    end
    if first and size > first + 8 and number_at('<L', member, first + 2) == size - first - 9 then
        return sub(member, first + 10)
    end
    return nil
end
