-- include: kernel/clock
-- include: cache
-- include: cache_events
-- Removes expired entries and notifies listeners, unless the latch exists.
-- After an event that no client receives, the script publishes no further event.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options   KEYS[6] latch
-- ARGV end of the channels' names; command that publishes; another one, or ''; time to
--      live of the latch, seconds; maximum number of entries to read from each sorted set
-- Returns the number of removed entries; -1 if the latch exists.
-- Redisson: MapCacheEvictionTask of RedissonMapCache, which also removes entries that never expire
local seconds, limit = unpack(ARGV, 4, #ARGV)
local gone, received = {}, true
if call('exists', KEYS[6]) == 1 then
    return -1
end
without_memory('zrem', EXPIRES, 'pyredisson_none')
call('set', KEYS[6], '1', 'ex', seconds)
undo('del', KEYS[6])
for _, set in ipairs({EXPIRES, IDLES}) do
    local page = call('zrangebyscore', set, '-inf', now, 'limit', 0, limit)
    for i = 1, #page do
        local key, data = page[i], call('hget', MAP, page[i])
        if data and set == IDLES and idle_of(data) == 0 or not data then
            remove('zrem', set, key)
        elseif not gone[key] then
            gone[key] = true
            gone[#gone + 1] = key
            drop({key = key, expires = true, idles = true})
            received = received and emit('expired', key, bare(data)) > 0
        end
    end
end
return #gone
