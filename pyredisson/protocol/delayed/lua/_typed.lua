-- Ends the script now where a key holds another type than a command that comes later wants, as far
-- as the user may ask.
--
-- typed(kind, command, key)   kind: list, zset
local function typed(kind, command, key)
    local found = redis.pcall('type', key).ok
    if found and found ~= 'none' and found ~= kind then
        abort('WRONGTYPE Operation against a key holding a ' .. found, command, key)
    end
end
