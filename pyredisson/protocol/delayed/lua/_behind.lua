-- Returns the place in a sorted set after an entry read before.
-- If that entry is gone or has another score now, it is that of the first entry of its old score.
local function place_behind(key, entry, score)
    if call('zscore', key, entry) == score then
        return call('zrank', key, entry) + 1
    end
    return call('zcount', key, '-inf', '(' .. score)
end
-- Returns a page from there on, entries and scores in turn, and 1 if there may be more, else 0.
local function page_behind(key, entry, score, limit)
    local start = place_behind(key, entry, score)
    local page = call('zrange', key, start, start + limit - 1, 'WITHSCORES')
    return page, #page < 2 * limit and 0 or 1
end
