-- Events of a map cache. The first three arguments are the end of the channels' names (the part
-- after the first colon), a command that publishes, and another one, or ''.
--
-- bare(data)       returns the codec's bytes of a stored value; all its bytes if the value does not
--                  have the format of RMapCache
-- emit(event, ...) publishes the key and values of an entry, if the map has listeners. Returns the
--                  reply of `publish`, the number of receivers. Returns 0 without listeners, or if
--                  the server rejects the command
-- drop(entry)      removes an entry from all keys at the end of the script
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
