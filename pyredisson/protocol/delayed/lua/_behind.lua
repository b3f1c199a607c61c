-- Returns a page of a sorted set, entries and scores in turn, that starts after an entry read before.
-- If that entry is gone or has another score now, the page starts with the first entry of its old score.
local function page_behind(key, entry, score, limit)
    local start
    if call('zscore', key, entry) == score then
        start = call('zrank', key, entry) + 1
    else
        start = call('zcount', key, '-inf', '(' .. score)
    end
    return call('zrange', key, start, start + limit - 1, 'WITHSCORES')
end
