-- Lets members that stand in the delay list alone be due now.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] channel
-- ARGV now, epoch ms; then members
-- Returns those that stood there alone. That nobody hears of it is no error: every transfer task
-- looks again by itself.
-- Redisson: none; RedissonDelayedQueue never delivers such members
need('zadd', KEYS[2])
local now, alone = table.remove(ARGV, 1), {}
for i = 1, #ARGV do
    local member = ARGV[i]
    if not call('zscore', KEYS[2], member) and call('lpos', KEYS[1], member) then
        alone[#alone + 1] = member
        call('zadd', KEYS[2], now, member)
        undo('zrem', KEYS[2], member)
    end
end
if #alone > 0 then
    redis.pcall('publish', KEYS[3], now)
end
return alone
