-- include: kernel/clock
-- include: cache
-- include: cache_events
-- include: cache_store
-- Stores each value whose key meets the condition.
-- If an entry does not meet the condition, its idle time starts anew.
--
-- KEYS[1] map   KEYS[2] times of expiry   KEYS[3] ends of idle times   KEYS[4] last accesses
-- KEYS[5] options
-- ARGV end of the channels' names; command that publishes; another one, or ''; condition: '',
--      'absent', 'present' or 'equal'; the expected value; time to live and max idle time, ms, 0
--      for no limit, '' for the limit of the entry; 'old' to return old values; then keys, values
-- Returns for each key two elements: 1 if its value was stored, else 0; and nil if the key had no
-- entry, else its previous stored value, or 1 without 'old'.
-- Redisson: RedissonMapCache.putOperationAsync(K, V), and all others that put or replace
local condition, expected, ttl, idle, what = unpack(ARGV, 4, 8)
local entries, stored, reply = {}, {}, {}
for i = 9, #ARGV, 2 do
    entries[i] = read(ARGV[i]) or false
end
for i = 9, #ARGV, 2 do
    local old, wanted = entries[i], 1
    if condition == 'absent' and old or condition == 'present' and not old then
        wanted = 0
    elseif condition == 'equal' and not (old and bare(old.data) == expected) then
        wanted = 0
    end
    reply[#reply + 1] = wanted
    reply[#reply + 1] = old and (what == 'old' and old.data or 1)
    if wanted == 1 then
        store(ARGV[i], ARGV[i + 1], old, tonumber(ttl), tonumber(idle))
        if not stored[ARGV[i]] then
            stored[ARGV[i]], stored[#stored + 1] = true, ARGV[i]
        end
    elseif old then
        keep(old)
        use(old.key)
    end
end
shrink(stored)
return reply
