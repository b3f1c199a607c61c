-- Is put in front of each script, without a line break, and moves the time that the script sees.
-- The name of a shard channel has the milliseconds; the clock subscribes to it. A script reads them
-- when it runs, so they are right even if it waited behind another command. No key is needed.
-- The server's own clock is not moved. So moments in commands and in their replies are converted.
local redis = (function()
    local server, known = redis, nil
    local moved = {}

    local function ahead()
        if known then return known end
        local last = -1
        for _, name in ipairs(server.call('PUBSUB', 'SHARDCHANNELS', 'pyredisson-clock.*')) do
            local number, milliseconds = string.match(name, '%.(%d+)%.(%d+)$')
            if tonumber(number) > last then
                last, known = tonumber(number), tonumber(milliseconds)
            end
        end
        return known or 0
    end

    function moved.TIME(call, name)
        local now = call(name)
        if now.err then return now end
        local micros = tonumber(now[2]) + ahead() % 1000 * 1000
        local seconds = tonumber(now[1]) + math.floor(ahead() / 1000) + math.floor(micros / 1e6)
        return {string.format('%d', seconds), string.format('%d', micros % 1e6)}
    end

    local function expire(call, name, unit, ...)
        local words = {...}
        local moment = tonumber(words[2])
        if moment then
            name, words[2] = 'PEXPIREAT', string.format('%d', moment * unit - ahead())
        end
        return call(name, unpack(words))
    end

    function moved.PEXPIREAT(call, name, ...)
        return expire(call, name, 1, ...)
    end

    function moved.EXPIREAT(call, name, ...)
        return expire(call, name, 1000, ...)
    end

    local function expires(call, ...)
        local moment = call('PEXPIRETIME', ...)
        return moment, type(moment) == 'number' and moment >= 0 and moment + ahead()
    end

    function moved.PEXPIRETIME(call, name, ...)
        local reply, moment = expires(call, ...)
        return moment or reply
    end

    function moved.EXPIRETIME(call, name, ...)
        local reply, moment = expires(call, ...)
        return moment and math.floor((moment + 500) / 1000) or reply
    end

    function moved.SET(call, ...)
        local words = {...}
        for at = 3, #words - 1 do
            local word = string.upper(words[at])
            local unit = word == 'PXAT' and 1 or word == 'EXAT' and 1000
            local moment = unit and tonumber(words[at + 1])
            if moment and (at > 3 or string.upper(words[1]) == 'GETEX') then
                words[at], words[at + 1] = 'PXAT', string.format('%d', moment * unit - ahead())
                break
            end
        end
        return call(unpack(words))
    end
    moved.GETEX = moved.SET

    local function with(call)
        return function(name, ...)
            local way = type(name) == 'string' and moved[string.upper(name)]
            if way then return way(call, name, ...) end
            return call(name, ...)
        end
    end
    return setmetatable({call = with(server.call), pcall = with(server.pcall)}, {__index = server})
end)()
local server = redis
