-- Finds entries that are in the delay list only, and adds them to the timeout set, due now.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] channel
-- ARGV now, epoch ms; then entries
-- Returns the entries that were in the list only. A rejected PUBLISH is no error, because each
-- transfer task also polls.
-- Redisson: none; RedissonDelayedQueue never delivers such entries
need('zadd', KEYS[2])
without_memory('zrem', KEYS[2], 'pyredisson_none')
local now, alone = table.remove(ARGV, 1), {}
for i = 1, #ARGV do
    local entry = ARGV[i]
    if not call('zscore', KEYS[2], entry) and call('lpos', KEYS[1], entry) then
        alone[#alone + 1] = entry
        call('zadd', KEYS[2], now, entry)
        undo('zrem', KEYS[2], entry)
    end
end
if #alone > 0 then
    redis.pcall('publish', KEYS[3], now)
end
return alone
