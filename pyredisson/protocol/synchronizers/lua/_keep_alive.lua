-- keep_alive(free, log, least)  sets the time to live of a rate limiter's keys; `least` ms are that of
--            the permits and the log of one client where the rate has none, else false
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
