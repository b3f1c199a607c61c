-- A page of a sorted set: members and scores in turn, from behind a member that was read with its score.
-- Where that is gone, or has another score, the page begins with the first of its score.
local function page_behind(key, member, score, limit)
    local start
    if call('zscore', key, member) == score then
        start = call('zrank', key, member) + 1
    else
        start = call('zcount', key, '-inf', '(' .. score)
    end
    return call('zrange', key, start, start + limit - 1, 'WITHSCORES')
end
