-- Ends the script now if a key does not hold the type that a later command needs. Without a permission
-- for TYPE, it does nothing.
--
-- typed(kind, command, key)   kind: list, zset
local function typed(kind, command, key)
    local found = redis.pcall('type', key).ok
    if found and found ~= 'none' and found ~= kind then
        abort('WRONGTYPE Operation against a key holding a ' .. found, command, key)
    end
end
