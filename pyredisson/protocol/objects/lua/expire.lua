-- Sets the time to live of all keys of an object.
--
-- KEYS    the keys
-- ARGV[1] pexpire or pexpireat   ARGV[2] milliseconds   ARGV[3] NX, XX, GT, LT or empty
-- Returns 1 if the time to live of any key was set, else 0.
-- Redisson: RedissonExpirable.expireAsync and expireAtAsync over several keys
local result = 0
for i = 1, #KEYS do
    local set
    if ARGV[3] == '' then
        set = call(ARGV[1], KEYS[i], ARGV[2])
    else
        set = call(ARGV[1], KEYS[i], ARGV[2], ARGV[3])
    end
    result = math.max(result, set)
end
return result
