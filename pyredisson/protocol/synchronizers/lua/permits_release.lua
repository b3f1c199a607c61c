-- include: kernel/clock
-- include: locks/notify
-- Releases permits, also those whose leases have ended, and wakes waiters.
--
-- KEYS[1] free permits   KEYS[2] leases   KEYS[3] channel
-- ARGV command that publishes; another one, or ''; then the ids
-- Returns {how many were still leased}. The error text of a rejected notification follows.
-- Redisson: RedissonPermitExpirableSemaphore.tryReleaseAsync, by the server's clock
local publish, other = table.remove(ARGV, 1), table.remove(ARGV, 1)
local now, there, live, count = server_ms(), {}, 0, 0
for i = 1, #ARGV do
    local score = not there[ARGV[i]] and call('zscore', KEYS[2], ARGV[i])
    if score then
        there[ARGV[i]], count = true, count + 1
        live = live + (tonumber(score) > now and 1 or 0)
    end
end
if count == 0 then
    return {0}
end
without_memory('zrem', KEYS[2], 'pyredisson_none')
local free = call('incrby', KEYS[1], count)
undo('incrby', KEYS[1], -count)
for id in pairs(there) do
    remove('zrem', KEYS[2], id)
end
return {live, notify(KEYS[3], free, publish, other)}
