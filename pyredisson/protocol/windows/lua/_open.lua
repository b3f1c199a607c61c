-- Returns the pending entry of a token's group if its key still refers to it.
local function entry_of(open, key, text)
    local entry = call('hget', open, key)
    return entry and value_of(entry) == text and entry
end
