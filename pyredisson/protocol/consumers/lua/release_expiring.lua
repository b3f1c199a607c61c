-- include: records
-- include: returns
-- Puts messages back as release.lua does, where some expire: nobody had them, so they expire as before.
--
-- KEYS[1] queue   KEYS[2] leases   KEYS[3] taken   KEYS[4] returned   KEYS[5] expiring
-- KEYS[6] expiries
-- ARGV tokens
-- Returns for each 1 when its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has nothing to release
need('zadd', KEYS[5])
need('zadd', KEYS[6])
return release(KEYS[1], KEYS[2], KEYS[3], KEYS[4], #ARGV, false, function(message)
    local prefix = struct.pack('Bc0', 16, message.token) .. struct.pack('L', #message.value)
    local when = math.abs(message.expires)
    remember(KEYS[6], message, when, prefix)
    add(KEYS[5], when, prefix .. message.value)
end)
