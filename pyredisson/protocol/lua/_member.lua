-- Reads a packed member of either format; nil when it is neither (poison).
local function value_of(member)
    local size = string.len(member)
    local start = 2 + (string.byte(member, 1) or 0)
    if size >= start + 7 and struct.unpack('<L', string.sub(member, start, start + 7)) == size - start - 7 then
        return string.sub(member, start + 8)
    end
    if size >= 16 and struct.unpack('<L', string.sub(member, 9, 16)) == size - 16 then
        return string.sub(member, 17)
    end
    return nil
end
