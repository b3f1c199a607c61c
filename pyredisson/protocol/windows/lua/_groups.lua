-- The fields of a group. Each name begins with the SHA1 of the group's token, and the token is the
-- value in the queue. The field without a number after the SHA1 has the head. The fields with the
-- numbers from 1 have the values. Field 0 has the token of the delivery that last took the group.
--
-- head   number of values (4, big-endian), id (16), key
-- open   for each key, the pending entry of the last group that had one. A group is open while its
--        entry is pending. A consumer that takes the group deletes this entry
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
-- Returns a whole group: its key, its id, and its values.
local function read_group(groups, sha, size, id, key)
    local group = {key, id}
    for _, fields in values_of(sha, size) do
        for _, value in ipairs(call('hmget', groups, unpack(fields))) do
            group[#group + 1] = value
        end
    end
    return group
end
