-- Finds leases without a message and messages without a lease, and mends them.
-- Then the former are gone, and the latter have a lease that has ended, so whoever looks next puts
-- them back.
--
-- KEYS[1] leases   KEYS[2] taken
-- ARGV look or mend; then tokens
-- Returns {tokens of the former, tokens of the latter}; a record has 44 bytes before its value.
-- Redisson: none; RedissonBlockingQueue knows no leases
local action, leases, messages = table.remove(ARGV, 1), {}, {}
if action == 'mend' then
    need('zrem', KEYS[1], 'pyredisson_none')
    need('zadd', KEYS[1], 'xx', 1, 'pyredisson_none')
end
for i = 1, #ARGV do
    local token = ARGV[i]
    local ends, size = call('zscore', KEYS[1], token), call('hstrlen', KEYS[2], token)
    if ends and size == 0 then
        leases[#leases + 1] = token
        if action == 'mend' then
            call('zrem', KEYS[1], token)
            undo('zadd', KEYS[1], ends, token)
        end
    elseif not ends and size >= 44 then
        messages[#messages + 1] = token
        if action == 'mend' then
            call('zadd', KEYS[1], 1, token)
            undo('zrem', KEYS[1], token)
        end
    end
end
return {leases, messages}
