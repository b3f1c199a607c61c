-- A map cache at this moment: KEYS are its hash, the sorted sets of the times at which entries expire,
-- of those at which they have been idle for too long, and of last accesses, and the hash of options.
--
-- now              epoch ms of the server
-- most, mode       the most entries (0: no limit); LRU or LFU
-- idle_of(data)    the max idle time of a stored value, ms; 0 without one, or if it is not packed
-- read(key)        returns an entry, or nil if there is none or it has expired; its fields are key, data,
--                  idle, and the scores `expires` and `idles`, or false
-- keep(entry)      starts the idle time of an entry anew
-- use(key)         notes an access
-- set_score(...)   sets a score; an undo restores the one before, the last argument if it is known
local MAP, EXPIRES, IDLES, USED = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now = server_ms()
local options = call('hmget', KEYS[5], 'max-size', 'mode', 'has-listeners')
local most, mode = tonumber(options[1]) or 0, options[2]
local function idle_of(data)
    if #data < 16 or (struct.unpack('L', data, 9)) ~= #data - 16 then
        return 0
    end
    return (struct.unpack('d', data))
end
local function is_over(score)
    return score and tonumber(score) <= now
end
local function read(key, data)
    data = data or call('hget', MAP, key)
    if data then
        local entry = {key = key, data = data, idle = idle_of(data)}
        entry.expires, entry.idles = call('zscore', EXPIRES, key), call('zscore', IDLES, key)
        if not is_over(entry.expires) and not (entry.idle ~= 0 and is_over(entry.idles)) then
            return entry
        end
    end
end
local function set_score(set, score, member, before)
    if before == nil then
        before = call('zscore', set, member)
    end
    call('zadd', set, score, member)
    if before then
        undo('zadd', set, before, member)
    else
        undo('zrem', set, member)
    end
end
local function keep(entry)
    if entry.idle > 0 then
        set_score(IDLES, now + entry.idle, entry.key, entry.idles)
    end
end
local function use(key)
    if most > 0 and mode == 'LFU' then
        local before = call('zscore', USED, key)
        call('zincrby', USED, 1, key)
        if before then
            undo('zadd', USED, before, key)
        else
            undo('zrem', USED, key)
        end
    elseif most > 0 then
        set_score(USED, now, key)
    end
end
