-- What every script runs in. Redis rolls nothing back: where a command is refused (a right, a
-- wrong type, no memory) what was done before it is undone here, and the error says which command
-- on which key it was.
--
-- The order of every script: it reads, then it adds, then it removes. In a cluster's slot that is on
-- its way a key that the script has emptied is nobody's any more: nothing can be added to it again,
-- by an undo neither.
--
-- call(...)  a command; when it is refused the script ends. What reads an emptied key, or removes from
--            it, is answered as of an empty key
-- remove(command, key, word, other)  a command that removes, run when the script has done all else;
--            the words of all ZREM of a key go together, and those of all HDEL
-- without_memory(...)  a command that changes nothing and needs no memory. Where it is the first
--            write, a server without memory runs those that follow
-- abort(...)  what `call` does with an error of redis.pcall; to be called after it where a command
--            runs so often that the time of `call` counts
-- denied(...)  why the user may not run a command, if so; a server that cannot be asked (before
--            Redis 7) runs it, so its arguments must do no harm; where there are none but the key
--            zadd and hset leave nothing behind, and others are not run
-- need(...)  ends the script now if a command that comes later is denied
-- undo(...)  the command that takes back what was just done, or a function that does;
--            forget() when all is done
local undos, removals, refusal = {}, {}, nil
local AT_ONCE = 5000
local function abort(text, command, key)
    if string.find(text, 'non local key', 1, true) then
        local replies = {
            del = 0, exists = 0, get = false, lindex = false, llen = 0, lpop = false, lpos = false,
            lrange = {}, lrem = 0, ltrim = {ok = 'OK'}, rpop = false, hdel = 0, hexists = 0, hget = false,
            hgetall = {}, hlen = 0, hrandfield = {}, hstrlen = 0, hvals = {}, zcard = 0, zcount = 0,
            zrange = {}, zrangebylex = {}, zrangebyscore = {}, zrank = false, zrem = 0,
            zremrangebyrank = 0, zscore = false,
        }
        local empty = replies[string.lower(command)]
        if empty ~= nil then
            return empty
        end
    end
    refusal = describe_error(text, command, key)
    error('refused')
end
local function call(command, key, ...)
    local reply = redis.pcall(command, key, ...)
    if type(reply) == 'table' and reply.err then
        return abort(reply.err, command, key)
    end
    return reply
end
local function denied(command, key, ...)
    if redis.acl_check_cmd then
        local known, allowed = pcall(redis.acl_check_cmd, command, key, ...)
        if not known then -- Redis 8 wants whole commands: those are of zadd, hset and what pushes
            known, allowed = pcall(redis.acl_check_cmd, command, key, 1, '')
        end
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
    return text and not string.find(text, 'not an integer', 1, true)
        and not string.find(text, 'out of range', 1, true) and text
end
local function need(command, key, ...)
    local text = denied(command, key, ...)
    if text then
        abort(text, command, key)
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
local function remove(command, key, word, other)
    local words = removals[key]
    if words and words.command == command then
        words[#words + 1] = word
        return
    end
    words = {word, other, command = command, key = key}
    removals[#removals + 1] = words
    if command == 'zrem' or command == 'hdel' then
        removals[key] = words
    end
end
local function run_removals()
    for i = 1, #removals do
        local words = removals[i]
        for first = 1, math.max(#words, 1), AT_ONCE do
            local last = math.min(first + AT_ONCE - 1, #words)
            call(words.command, words.key, unpack(words, first, last))
        end
    end
end
local function without_memory(command, ...)
    redis.pcall(command, ...)
end
local ok, reply = pcall(function()
local function script()
-- script
end
local reply = script()
run_removals()
return reply
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
