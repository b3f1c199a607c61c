-- What is kept of a group under the SHA1 of its text, the value that goes to the queue: its head in
-- the field of that name, its values in fields of that name and their number, from 1, and in that of
-- number 0 the delivery by which somebody has taken it.
--
-- head   how many values (4, big-endian), id (16), key
-- open   of each key the pending member of the group that was begun last; a group is open as long
--        as its member is pending, and whoever takes it sees to it that it is no more
local MANY = 1000
local function head_of(groups, sha)
    local head = call('hget', groups, sha)
    if head and #head >= 20 then
        local size, id, at = struct.unpack('>I4c16', head)
        return size, id, string.sub(head, at)
    end
end
-- The fields of the values, many at a time: for first, fields in values_of(sha, size) do
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
-- A group whole: its key, its id, its values.
local function read_group(groups, sha, size, id, key)
    local group = {key, id}
    for _, fields in values_of(sha, size) do
        for _, value in ipairs(call('hmget', groups, unpack(fields))) do
            group[#group + 1] = value
        end
    end
    return group
end
