-- Prepended to every script.
--
-- failed(reply)   returns the error's text if a reply of redis.pcall is an error, else false or nil
-- describe_error(text, command, key)   returns the error's text with the command and the key. If a
--                 permission is missing, adds its name
local function failed(reply)
    return type(reply) == 'table' and reply.err
end
local function describe_error(text, command, key)
    local code, rest = string.match(text, '^%-?(%u+) (.*)$')
    code, rest = code or 'ERR', rest or text
    if string.find(rest, 'ACL failure', 1, true) or string.find(rest, "can't run", 1, true) then
        code = 'NOPERM'
    end
    local hint = code == 'NOPERM' and ', which needs +' .. string.lower(command) or ''
    return code .. ' ' .. rest .. ' (' .. string.upper(command) .. ' ' .. key .. hint .. ')'
end
