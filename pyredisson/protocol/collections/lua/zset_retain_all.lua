-- include: parts
-- Keeps only some members of a sorted set, and its time to live.
--
-- KEYS[1] sorted set   KEYS[2] temporary key
-- ARGV    members, one or more
-- Returns 1 if any member was removed, else 0.
-- Redisson: RedissonScoredSortedSet.retainAllAsync(Collection), which loses the time to live
local size, ttl = call('zcard', KEYS[1]), call('pttl', KEYS[1])
if size == 0 then
    return 0
end
need('del', KEYS[2])
without_memory('del', KEYS[2])
if ttl > 0 then
    need('pexpire', KEYS[1], ttl)
end
local words = {}
for i = 1, #ARGV do
    words[2 * i - 1], words[2 * i] = 0, ARGV[i]
end
in_parts(words, #words, function(...)
    call('zadd', KEYS[2], ...)
    undo('del', KEYS[2])
end)
local left = call('zinterstore', KEYS[1], 2, KEYS[1], KEYS[2], 'aggregate', 'sum')
if left > 0 and ttl > 0 then
    call('pexpire', KEYS[1], ttl)
end
call('del', KEYS[2])
return left < size and 1 or 0
