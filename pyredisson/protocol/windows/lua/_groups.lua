-- The fields of a group. Their names begin with the SHA1 of the group's token, which is the value in the
-- queue. The field with this name has the head, the fields with a number from 1 after it have the
-- values, and the field with number 0 has the delivery by which a consumer has taken the group.
--
-- head   how many values (4, big-endian), id (16), key
-- open   for each key, the pending entry of its newest group. A group is open as long as its entry is
--        pending; a consumer that takes the group removes a pending entry
local MANY = 1000
local function head_of(groups, sha)
    local head = call('hget', groups, sha)
    if head and #head >= 20 then
        local size, id, at = struct.unpack('>I4c16', head)
        return size, id, string.sub(head, at)
    end
end
-- Iterates over the fields of the values, in chunks: for first, fields in values_of(sha, size) do
local function values_of(sha, size)
    return function(_, first)
        first = first + MANY
        if first > size then
            return nil
        end
        local fields = {}
        for i = first, math.min(first + MANY - 1, size) do
            fields[#fields + 1] = sha .. i
        end
        return first, fields
    end, nil, 1 - MANY
end
-- Returns a whole group: its key, its id, its values.
local function read_group(groups, sha, size, id, key)
    local group = {key, id}
    for _, fields in values_of(sha, size) do
        for _, value in ipairs(call('hmget', groups, unpack(fields))) do
            group[#group + 1] = value
        end
    end
    return group
end
