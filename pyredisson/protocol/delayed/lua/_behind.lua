-- Returns the rank in a sorted set after an entry that was read before. If the set does not have
-- this entry with this score, returns the rank of the first entry with at least this score.
local function place_behind(key, entry, score)
    if call('zscore', key, entry) == score then
        return call('zrank', key, entry) + 1
    end
    return call('zcount', key, '-inf', '(' .. score)
end
-- Returns a page from this rank on, entries and scores in turn, and 1 if more may follow, else 0.
local function page_behind(key, entry, score, limit)
    local start = place_behind(key, entry, score)
    local page = call('zrange', key, start, start + limit - 1, 'WITHSCORES')
    return page, #page < 2 * limit and 0 or 1
end
