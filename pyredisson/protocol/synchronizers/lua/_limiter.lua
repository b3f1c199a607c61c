-- A rate limiter at the time of the script. Needs `log`. Ends the script with -1 if the limiter has
-- no rate.
--
-- rate, interval, now     the permits per interval; the interval, ms; the server's time, epoch ms
-- of_client               whether the rate is the limit of each client
-- FREE, LOG               the keys of the number of free permits, and of the log
-- stored                  the number of free permits in Redis, without the permits of `over`
-- over                    the oldest entries that are over, at most MOST
-- free                    the number of free permits, with the permits of `over`
-- rest                    the entries after `over` with scores, at most MOST; nil at first
-- read_rest()             sets `rest`; returns the sum of their permits
-- store(value)            stores the number of free permits, and removes the entries in `over`
local now, rate, interval = server_ms(), call('hget', KEYS[1], 'rate'), call('hget', KEYS[1], 'interval')
local FREE, LOG, of_client = KEYS[2], KEYS[4], call('hget', KEYS[1], 'type') == '1'
if of_client then
    FREE, LOG = KEYS[3], KEYS[5]
end
if not rate or not interval then
    return -1
end
rate, interval = tonumber(rate), tonumber(interval)
if not rate or not interval then
    abort('ERR value of rate or interval is not a number', 'hget', KEYS[1])
end
local stored = call('get', FREE)
local over, rest = call('zrangebyscore', LOG, 0, now - interval, 'limit', 0, MOST), nil
local free = (tonumber(stored) or rate) + sum(over, 1)
local function read_rest()
    rest = rest or call('zrange', LOG, #over, #over + MOST - 1, 'withscores')
    return sum(rest, 2)
end
if not stored or free > rate then
    local used = read_rest()
    for first = #over + MOST, call('zcard', LOG) - 1, MOST do
        used = used + sum(call('zrange', LOG, first, first + MOST - 1), 1)
    end
    free = math.max(rate - used, 0)
end
if #over > 0 then
    need('zremrangebyrank', LOG, 1, 0)
end
local function store(value)
    if value ~= tonumber(stored) then
        call('set', FREE, value, 'keepttl')
        undo(function()
            if stored then
                call('set', FREE, stored, 'keepttl')
            else
                call('del', FREE)
            end
        end)
    end
    if #over > 0 then
        remove('zremrangebyrank', LOG, 0, #over - 1)
    end
end
