-- keep_alive(free, log, least)  sets the time to live of a rate limiter's keys to keepAliveTime. If
--            the rate has none, the keys `free` and `log` get the time to live of the rate's key.
--            If that key has none, they get `least` ms, or stay as they are if `least` is false
local function keep_alive(free, log, least)
    local keep = tonumber(call('hget', KEYS[1], 'keepAliveTime')) or 0
    local left = keep
    if keep > 0 then
        call('pexpire', KEYS[1], keep)
    else
        left = call('pttl', KEYS[1])
        if left <= 0 and least then
            left = least -- then all are free, as without the keys
        end
    end
    if left > 0 then
        call('pexpire', free, left)
        call('pexpire', log, left)
    end
end
