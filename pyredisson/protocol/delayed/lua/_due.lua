-- Stores the due times of moved items under the SHA1 of their values, for pyredisson consumers
-- (consumers/_taking). If that is rejected, or there are too many, they are not stored.
--
-- MOST     maximum number of values with a stored due time
-- LONGEST  maximum bytes of values that one call reads for this
-- LASTS    ms after which stored due times are deleted
--
-- due_times(count)   returns SHA1 and score of the first `count` items in turn; reads only
-- note(key, words)   stores these
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
