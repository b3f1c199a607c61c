-- Deletes groups in two steps, because a script reads before it writes.
--
-- note_group(open, groups, text)   registers the group of a token; returns the group's number of
--                                  values, or 0 if the group does not exist
-- drop_noted(open, groups)         deletes all registered groups
local noted, known = {}, {}
local function note_group(open, groups, text)
    local sha = redis.sha1hex(text)
    local size, _, key = head_of(groups, sha)
    if not size then
        return 0
    end
    if not known[sha] then
        known[sha] = true
        noted[#noted + 1] = {sha = sha, size = size, key = entry_of(open, key, text) and key}
    end
    return size
end
local function drop_noted(open, groups)
    for _, group in ipairs(noted) do
        for _, fields in values_of(group.sha, group.size) do
            call('hdel', groups, unpack(fields))
        end
        call('hdel', groups, group.sha .. 0, group.sha)
        if group.key then
            call('hdel', open, group.key)
        end
    end
end
