-- known       the values of the fields rate, interval, keepAliveTime and type; false for a missing
--             field
-- set_rate()  sets the fields and the time to live of the rate by ARGV[1] to ARGV[4]
local FIELDS = {'rate', 'interval', 'keepAliveTime', 'type'}
local known = call('hmget', KEYS[1], unpack(FIELDS))
local function set_rate()
    call('hset', KEYS[1], 'rate', ARGV[1], 'interval', ARGV[2], 'keepAliveTime', ARGV[4], 'type', ARGV[3])
    undo(function()
        for i = 1, #FIELDS do
            if known[i] then
                call('hset', KEYS[1], FIELDS[i], known[i])
            else
                call('hdel', KEYS[1], FIELDS[i])
            end
        end
    end)
    if ARGV[4] ~= '0' then
        call('pexpire', KEYS[1], ARGV[4])
    elseif tonumber(known[3]) ~= 0 and known[3] then
        call('persist', KEYS[1])
    end
end
