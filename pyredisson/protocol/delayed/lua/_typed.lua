-- Ends the script if an existing key has another type than a later command needs. Does nothing if
-- the user has no permission for TYPE.
--
-- typed(kind, command, key)   kind: list, zset
local function typed(kind, command, key)
    local found = redis.pcall('type', key).ok
    if found and found ~= 'none' and found ~= kind then
        abort('WRONGTYPE Operation against a key holding a ' .. found, command, key)
    end
end
