-- Notes when the items were due that are moved, by the SHA1 of their values: consumers of ours look for
-- it (consumers/_taking). It is only a note: what is refused, or too much, is not noted.
--
-- MOST     values that are noted at a time
-- LONGEST  bytes of values that one call reads for it
-- LASTS    ms after which notes are forgotten that nobody looked for
--
-- due_times(count)   SHA1 and score of the first so many in turn; reads only
-- note(key, words)   keeps these
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
