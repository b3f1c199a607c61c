-- The value's bytes in a dead letter (protocol/objects/dead).
local function value_in(letter)
    return string.sub(letter, 4 + struct.unpack('>I4', letter) + 45)
end
