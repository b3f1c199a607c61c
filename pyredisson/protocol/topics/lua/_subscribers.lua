-- of_stream(command, word, ...)   runs a command whose third word is the key, such as XINFO and
--                 XGROUP, on the stream; handles an error as `call` does
-- groups()        returns the groups of the stream; each has the fields of XINFO GROUPS by name
-- before(a, b)    returns whether the id `a` is smaller than the id `b`
-- following(id)   returns the smallest id after `id`
local function of_stream(command, word, ...)
    local reply = redis.pcall(command, word, KEYS[1], ...)
    return failed(reply) and abort(reply.err, command, KEYS[1]) or reply
end
local function groups()
    local found = {}
    if call('exists', KEYS[1]) == 1 then
        for i, info in ipairs(of_stream('xinfo', 'groups')) do
            found[i] = {}
            for place = 1, #info, 2 do
                found[i][info[place]] = info[place + 1]
            end
        end
    end
    return found
end
local function parts(id)
    local ms, number = string.match(id, '^(%d+)-(%d+)$')
    return tonumber(ms), tonumber(number)
end
local function before(a, b)
    local ms, number = parts(a)
    local other_ms, other = parts(b)
    return ms < other_ms or (ms == other_ms and number < other)
end
local function following(id)
    local ms, number = parts(id)
    return string.format('%.0f-%.0f', ms, number + 1)
end
