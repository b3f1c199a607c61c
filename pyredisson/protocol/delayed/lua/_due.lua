-- Stores the due times of moved items under the SHA1 of their values, for pyredisson consumers
-- (consumers/_taking). If the server rejects this, or if too many are stored, stores none.
--
-- MOST     number of stored due times from which on no others are added
-- LONGEST  bytes of values after which one call stores no due times of other values
-- LASTS    ms until all stored due times expire, from the last time when some were added
--
-- due_times(count)   returns SHA1 and score in turn of the first `count` items; reads only. Leaves
--                    out poison and scores of 0 or less
-- note(key, words)   stores the result of due_times
local MOST, LONGEST, LASTS = 10000, 2 ^ 20, 24 * 3600 * 1000
local function due_times(count)
    local words, size = {}, 0
    local found = call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'withscores', 'limit', 0, count)
    for i = 1, #found, 2 do
        local value, score = value_of(found[i]), tonumber(found[i + 1])
        size = size + (value and #value or 0)
        if value and score > 0 and size <= LONGEST then
            words[#words + 1], words[#words + 2] = redis.sha1hex(value), found[i + 1]
        end
    end
    return words
end
local function note(key, words)
    local size = #words > 0 and redis.pcall('hlen', key)
    if size and not failed(size) and size < MOST then
        if not failed(redis.pcall('hset', key, unpack(words))) then
            redis.pcall('pexpire', key, LASTS)
        end
    end
end
