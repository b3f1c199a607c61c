-- The pending member by which a group is known as that of its key, if it still is.
local function member_of(open, key, text)
    local member = call('hget', open, key)
    return member and value_of(member) == text and member
end
