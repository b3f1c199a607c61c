-- Deletes what is kept of a group; returns how many values it had, 0 of what is none.
local function drop_group(open, groups, token)
    local sha = redis.sha1hex(token)
    local size, _, key = head_of(groups, sha)
    if not size then
        return 0
    end
    local member = call('hget', open, key)
    if member and value_of(member) == token then
        call('hdel', open, key)
    end
    for _, fields in values_of(sha, size) do
        call('hdel', groups, unpack(fields))
    end
    call('hdel', groups, sha)
    return size
end
