-- include: delayed/entry
-- include: windows/groups
-- include: dead_letters/letter
-- Finds groups of a window whose token is in no key.
-- A repair adds the token to the end of the queue.
--
-- KEYS[1] groups   KEYS[2] open   KEYS[3] timeout set   KEYS[4] delay list   KEYS[5] queue
-- KEYS[6] arriving   KEYS[7] poison list   KEYS[8] retried   KEYS[9] taken   KEYS[10] dead letters
-- KEYS[11] dead
-- ARGV look or repair; epoch ms: only dead letters that failed then or later are read; then tokens
-- Returns the token and the key of each of these groups in turn.
-- Redisson: none; RedissonBlockingQueue has no groups
local action, since, lost, found = table.remove(ARGV, 1), table.remove(ARGV, 1), {}, {}
if action == 'repair' then
    need('rpush', KEYS[5])
    without_memory('zrem', KEYS[3], 'pyredisson_none')
end
local function waits(text, sha, key)
    local entry = call('hget', KEYS[2], key)
    return entry and value_of(entry) == text
            and (call('zscore', KEYS[3], entry) or call('lpos', KEYS[4], entry))
        or call('lpos', KEYS[5], text)
        or call('lpos', KEYS[6], text)
        or call('lpos', KEYS[7], text)
        or #call('zrangebylex', KEYS[8], '[' .. sha, '(' .. sha .. '\255', 'limit', 0, 1) > 0
end
for i = 1, #ARGV do
    local sha = redis.sha1hex(ARGV[i])
    local size, _, key = head_of(KEYS[1], sha)
    if size and not waits(ARGV[i], sha, key) then
        lost[ARGV[i]] = key
    end
end
if next(lost) then
    local lengths = {}
    for text in pairs(lost) do
        lengths[44 + #text] = true
    end
    for _, token in ipairs(call('hkeys', KEYS[9])) do
        if lengths[call('hstrlen', KEYS[9], token)] then
            lost[string.sub(call('hget', KEYS[9], token), 45)] = nil
        end
    end
    for _, id in ipairs(call('zrangebyscore', KEYS[11], since, '+inf')) do
        local letter = call('hget', KEYS[10], id)
        lost[letter and value_in(letter) or ''] = nil
    end
end
for i = 1, #ARGV do
    if lost[ARGV[i]] then
        found[#found + 1], found[#found + 2] = ARGV[i], lost[ARGV[i]]
        if action == 'repair' then
            call('rpush', KEYS[5], ARGV[i])
            undo('rpop', KEYS[5])
        end
    end
end
return found
