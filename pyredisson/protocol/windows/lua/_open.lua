-- Returns the entry of a key in `open` if this entry has the token `text`, else false.
local function entry_of(open, key, text)
    local entry = call('hget', open, key)
    return entry and value_of(entry) == text and entry
end
