-- include: parts
-- Keeps only some values of a set, and its time to live.
--
-- KEYS[1] set   KEYS[2] temporary key
-- ARGV    value bytes, one or more
-- Returns 1 if any value was removed, else 0.
-- Redisson: RedissonSet.retainAllAsync(Collection), which loses the time to live
local size, ttl = call('scard', KEYS[1]), call('pttl', KEYS[1])
if size == 0 then
    return 0
end
need('del', KEYS[2])
without_memory('del', KEYS[2])
if ttl > 0 then
    need('pexpire', KEYS[1], ttl)
end
in_parts(ARGV, #ARGV, function(...)
    call('sadd', KEYS[2], ...)
    undo('del', KEYS[2])
end)
local left = call('sinterstore', KEYS[1], KEYS[1], KEYS[2])
if left > 0 and ttl > 0 then
    call('pexpire', KEYS[1], ttl)
end
call('del', KEYS[2])
return left < size and 1 or 0
