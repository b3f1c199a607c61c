-- Returns the value's bytes in a dead letter (protocol/dead_letters), or nil if the letter is cut.
local function value_in(letter)
    local why = #letter >= 4 and struct.unpack('>I4', letter)
    if why and #letter >= 4 + why + 44 then
        return string.sub(letter, 4 + why + 45)
    end
    return nil
end
