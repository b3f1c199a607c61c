-- include: kernel/clock
-- include: cache
-- include: cache_events
-- Removes entries that have not expired. The eviction removes the expired ones.
-- If an entry does not have the expected value, its idle time starts anew.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV end of the channels' names; command that publishes; another one, or ''; '' or 'equal'; the
--      expected value; 'old' to return old values; then keys
-- Returns for each key 1 if its entry was removed, else 0; with 'old' the stored value, or nil.
-- Redisson: RedissonMapCache.removeOperationAsync(K) and all others that remove
local condition, expected, what = unpack(ARGV, 4, 6)
local entries, reply, gone = {}, {}, {}
without_memory('zrem', EXPIRES, 'pyredisson_none')
for i = 7, #ARGV do
    entries[i] = read(ARGV[i]) or false
end
for i = 7, #ARGV do
    local entry = not gone[ARGV[i]] and entries[i]
    if entry and condition == 'equal' and bare(entry.data) ~= expected then
        keep(entry)
        entry = false
    end
    if entry then
        gone[entry.key] = true
        drop(entry)
        emit('removed', entry.key, bare(entry.data))
    end
    if what == 'old' then
        reply[#reply + 1] = entry and entry.data
    else
        reply[#reply + 1] = entry and 1 or 0
    end
end
return reply
