-- time_left(lock, prefix, owner, shall)  returns the longest time to live of the read holds, in ms,
--            or 0 if none is alive. Of the holds of `owner`, only the first `shall` count. A hold
--            without a limit counts as 2^52 ms. `prefix` begins the names of the holds' strings
local function time_left(lock, prefix, owner, shall)
    local fields, longest = call('hgetall', lock), 0
    for i = 1, #fields, 2 do
        local field, holds = fields[i], tonumber(fields[i + 1]) or 0
        if string.sub(field, -6) ~= ':write' then
            for number = 1, field == owner and shall or holds do
                local string_key = prefix .. ':' .. field .. ':rwlock_timeout:' .. number
                local ttl = call('pttl', string_key)
                longest = math.max(longest, ttl == -1 and 2 ^ 52 or ttl)
            end
        end
    end
    return longest
end
