-- include: kernel/clock
-- include: log
-- include: rate
-- include: keep_alive
-- Sets the rate of a rate limiter.
-- Unless the log is kept, all shared permits and all permits of this client are free afterwards.
--
-- KEYS[1] rate   KEYS[2] free permits   KEYS[3] free permits of this client
-- KEYS[4] log   KEYS[5] log of this client
-- ARGV[1] permits per interval   ARGV[2] interval, ms
-- ARGV[3] type: 0 for all clients together, 1 for each client
-- ARGV[4] time to live after each attempt, ms; 0 for no limit
-- ARGV[5] 1: keep the log if the type is the same   ARGV[6] 1: only if the limiter has a rate
-- Returns 1 if the rate was set, else 0.
-- Redisson: RedissonRateLimiter.setRateAsync and updateRateAsync, which keep the old type's keys
if ARGV[6] == '1' and not known[1] then
    return 0
end
if ARGV[5] ~= '1' or known[4] ~= ARGV[3] then
    need('del', KEYS[2])
    set_rate()
    call('del', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
    return 1
end
local of_client, interval = ARGV[3] == '1', tonumber(ARGV[2])
local FREE, LOG = KEYS[of_client and 3 or 2], KEYS[of_client and 5 or 4]
local stored, over, used = call('get', FREE), string.format('%.0f', server_ms() - interval), 0
for first = 0, call('zcount', LOG, '(' .. over, '+inf') - 1, MOST do
    used = used + sum(call('zrangebyscore', LOG, '(' .. over, '+inf', 'limit', first, MOST), 1)
end
need('zremrangebyscore', LOG, 1, 0)
need('persist', LOG)
need('hget', KEYS[1], 'rate')
need('pttl', KEYS[1])
call('set', FREE, math.max(ARGV[1] - used, 0), 'keepttl')
undo(function()
    if stored then
        call('set', FREE, stored, 'keepttl')
    else
        call('del', FREE)
    end
end)
set_rate()
call('persist', FREE)
call('persist', LOG)
keep_alive(FREE, LOG, of_client and interval)
remove('zremrangebyscore', LOG, 0, over)
return 1
