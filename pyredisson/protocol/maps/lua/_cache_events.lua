-- Events of a map cache. The first arguments are what follows the colon in the names of its channels,
-- a command that publishes, and another one, or ''.
--
-- bare(data)       the value in a stored value; all of it, if it is not packed
-- emit(event, ...) publishes the key and values of an entry, if there are listeners; returns how many
--                  received it, 0 if that is not known
-- drop(entry)      removes an entry at the end of the script
local suffix, publish, also = unpack(ARGV, 1, 3)
local LEASE = 'redisson__map__lease:' .. suffix .. ':'
local function bare(data)
    if #data < 16 or (struct.unpack('L', data, 9)) ~= #data - 16 then
        return data
    end
    return string.sub(data, 17)
end
local function emit(event, ...)
    local message, parts = {}, {...}
    if not options[3] then
        return 0
    end
    for i = 1, #parts do
        message[i] = struct.pack('Lc0', #parts[i], parts[i])
    end
    local channel = 'redisson_map_cache_' .. event .. ':' .. suffix
    if also ~= '' then
        redis.pcall(also, channel, table.concat(message))
    end
    return tonumber(redis.pcall(publish, channel, table.concat(message))) or 0
end
local function drop(entry)
    if entry.expires then
        remove('zrem', EXPIRES, entry.key)
    end
    if entry.idles then
        remove('zrem', IDLES, entry.key)
    end
    if call('zscore', USED, entry.key) then
        remove('zrem', USED, entry.key)
    end
    remove('hdel', MAP, entry.key)
end
need('zrem', EXPIRES, 'pyredisson_none')
need('hdel', MAP, 'pyredisson_none')
