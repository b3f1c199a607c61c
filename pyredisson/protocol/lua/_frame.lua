-- What every script runs in. Redis rolls nothing back: where a command is refused (a right, a
-- wrong type, no memory) what was done before it is undone here, and the error says which command
-- on which key it was.
--
-- call(...)  a command; when it is refused the script ends. In a cluster's slot that is on its way
--            a key that the script has emptied is nobody's any more: what is asked of it then is
--            answered as of an empty key
-- refuse(...)  what `call` does with an error of redis.pcall; to be called after it where a command
--            runs so often that the time of `call` counts
-- denied(...)  why the user may not run a command, if so; a server that cannot be asked (before
--            Redis 7) runs it, so its arguments must do no harm; where there are none but the key
--            zadd and hset leave nothing behind, and others are not run
-- need(...)  ends the script now if a command that comes later is denied
-- undo(...)  the command that takes back what was just done, or a function that does;
--            forget() when all is done
local undos, refusal = {}, nil
local function refuse(text, command, key)
    if string.find(text, 'non local key', 1, true) then
        local empty = {
            lpop = false, rpop = false, lindex = false, llen = 0, lrange = {}, lrem = 0, del = 0,
            zrange = {}, zrem = 0,
        }
        if empty[string.lower(command)] ~= nil then
            return empty[string.lower(command)]
        end
    end
    refusal = told(text, command, key)
    error('refused')
end
local function call(command, key, ...)
    local reply = redis.pcall(command, key, ...)
    if type(reply) == 'table' and reply.err then
        return refuse(reply.err, command, key)
    end
    return reply
end
local function denied(command, key, ...)
    if redis.acl_check_cmd then
        local known, allowed = pcall(redis.acl_check_cmd, command, key, ...)
        if not known then
            return 'ERR unknown command'
        end
        return not allowed and 'NOPERM no permission'
    end
    local text
    if select('#', ...) > 0 then
        text = failed(redis.pcall(command, key, ...))
    elseif command == 'zadd' then
        text = failed(redis.pcall('zadd', key, 'xx', 1, 'pyredisson_none'))
    elseif command == 'hset' and not failed(redis.pcall('hdel', key, 'pyredisson_none')) then
        text = failed(redis.pcall('hset', key, 'pyredisson_none', ''))
        redis.pcall('hdel', key, 'pyredisson_none')
    end
    return text and not string.find(text, 'not an integer', 1, true) and text
end
local function need(command, key, ...)
    local text = denied(command, key, ...)
    if text then
        refuse(text, command, key)
    end
end
local function undo(command, ...)
    if type(command) == 'function' then
        undos[#undos + 1] = command
        return
    end
    local words = {command, ...}
    undos[#undos + 1] = function()
        call(unpack(words))
    end
end
local function forget()
    undos = {}
end
local ok, reply = pcall(function()
-- script
end)
if ok then
    return reply
end
local text = refusal or 'ERR ' .. tostring(reply)
for i = #undos, 1, -1 do
    refusal = nil
    local undone, problem = pcall(undos[i])
    if not undone then
        text = text .. '; not undone: ' .. (refusal or tostring(problem))
    end
end
return redis.error_reply(text)
