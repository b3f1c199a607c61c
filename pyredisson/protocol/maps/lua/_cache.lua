-- A map cache at the time of the script. The five keys are the hash of the entries, three sorted
-- sets (the ends of times to live, the ends of idle times, the last accesses), and the options.
--
-- now              the server's time, epoch ms
-- most, mode       the maximum number of entries (0: no limit); LRU or LFU, or false if not set
-- idle_of(data)    returns the max idle time of a stored value, ms; 0 without one, or if the value
--                  does not have the format of RMapCache
-- is_over(score)   returns whether a time has passed; false if `score` is false
-- read(key, data)  returns an entry, or nil if the key does not exist or has expired. The fields of
--                  an entry are key, data (the stored value), idle (its max idle time, ms), and the
--                  scores `expires` and `idles`, false without a score. `data` saves an HGET
-- keep(entry)      starts the idle time of an entry anew, if the entry has a max idle time
-- use(key)         notes an access, if the map has a maximum size
-- set_score(set, score, member, before)  sets a score. An undo restores the score `before`, or
--                  removes the member if `before` is false. If `before` is nil, reads the score
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
