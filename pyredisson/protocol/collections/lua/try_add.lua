-- include: parts
-- Adds several values to a set, if it has none of them.
--
-- KEYS[1] set
-- ARGV    value bytes, one or more
-- Returns 1 if they were added, else 0.
-- Redisson: RedissonSet.tryAddAsync(Object...)
for i = 1, #ARGV do
    if call('sismember', KEYS[1], ARGV[i]) == 1 then
        return 0
    end
end
in_parts(ARGV, #ARGV, function(...)
    call('sadd', KEYS[1], ...)
    undo('srem', KEYS[1], ...)
end)
return 1
