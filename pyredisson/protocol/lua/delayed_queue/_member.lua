-- Reads a packed member of either format; nil when it is neither (poison).
-- Ids of 8 bytes are asked for first, as Redisson writes no others: a shorter or longer one may be
-- the first byte of an old member, whose value then has a length in it by chance.
local function sized(member, start)
    local rest = string.len(member) - start - 7
    return rest >= 0 and struct.unpack('<L', string.sub(member, start, start + 7)) == rest
end
local function value_of(member)
    local first = string.byte(member, 1)
    if first == 8 and sized(member, 10) then
        return string.sub(member, 18)
    end
    if sized(member, 9) then
        return string.sub(member, 17)
    end
    if first and sized(member, 2 + first) then
        return string.sub(member, 10 + first)
    end
    return nil
end
