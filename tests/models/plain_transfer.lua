-- The transfer as it is meant: item by item, LREM for each. What the real one is compared with.
--
-- KEYS[1] target list   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] poison list
-- ARGV[1] now, epoch ms   ARGV[2] how many at most
local function sized(member, start)
    local rest = string.len(member) - start - 7
    return rest >= 0 and struct.unpack('<L', string.sub(member, start, start + 7)) == rest
end
local function value_of(member)
    local first = string.byte(member, 1)
    if first == 8 and sized(member, 10) then
        return string.sub(member, 18)
    elseif sized(member, 9) then
        return string.sub(member, 17)
    elseif first and sized(member, 2 + first) then
        return string.sub(member, 10 + first)
    end
end
local poison, moved = 0, 0
for _, member in ipairs(redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', 0, ARGV[2])) do
    local value = value_of(member)
    if value then
        redis.call('rpush', KEYS[1], value)
        moved = moved + 1
    else
        redis.call('rpush', KEYS[4], member)
        poison = poison + 1
    end
    redis.call('lrem', KEYS[3], 1, member)
    redis.call('zrem', KEYS[2], member)
end
local head = redis.call('zrange', KEYS[2], 0, 0, 'WITHSCORES')[2]
if poison > 0 then
    return {head or false, poison, moved}
end
return head or nil
