-- Every script without `frame: none` runs in this prelude. Redis has no rollback. If a command is
-- rejected (a permission, a wrong type, no memory), the prelude undoes the earlier writes. The
-- error text has the command and the key.
--
-- The rule for the order: a script reads, then adds, then removes. In a slot that is moving to
-- another node, this node has no access to a key that the script has emptied. No command can add
-- to such a key again, not even an undo.
--
-- call(...)  runs a command; if the command is rejected, the script ends. A command that reads
--            such an emptied key, or removes from it, gets the reply of an empty key
-- remove(command, key, word, other)  registers a command that removes; the command runs at the end
--            of the script. All ZREM of a key become one command, and all HDEL of a key, with at
--            most AT_ONCE words each
-- without_memory(...)  registers a command that changes nothing and needs no memory; it may end
--            with an error. If a server without memory rejects a later command, `call` runs the
--            registered command, and then the rejected command again. This helps because the
--            server rejects only the first write of a script. It is used by scripts that free
--            memory, or that end a state which keeps memory in use
-- abort(...)  handles an error of redis.pcall as `call` does; for commands that run so often that
--            the time of `call` counts
-- denied(...)  returns the error with which the server would reject a command, else false or nil.
--            A server before Redis 7 cannot check this, so it runs the command, whose arguments
--            must do no harm. If the key is the only argument, such a server runs only zadd and
--            hset, with arguments that leave nothing in the key
-- need(...)  ends the script now if the server would reject a later command
-- undo(...)  registers the command, or a function, that reverts the last write. forget() discards
--            all registered undos, so that the writes before it stay
local undos, removals, refusal, first_write = {}, {}, nil, nil
local AT_ONCE = 5000
local function abort(text, command, key)
    if string.find(text, 'non local key', 1, true) then
        local replies = {
            del = 0, exists = 0, get = false, lindex = false, llen = 0, lpop = false, lpos = false,
            lrange = {}, lrem = 0, ltrim = {ok = 'OK'}, rpop = false, hdel = 0, hexists = 0, hget = false,
            hgetall = {}, hkeys = {}, hlen = 0, hrandfield = {}, hstrlen = 0, zcard = 0, zcount = 0,
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
local function no_memory(text)
    return string.find(text, '^%-?OOM')
end
local function call(command, key, ...)
    local reply = redis.pcall(command, key, ...)
    if type(reply) == 'table' and reply.err then
        if first_write and no_memory(reply.err) then
            redis.pcall(unpack(first_write))
            first_write = nil
            return call(command, key, ...)
        end
        return abort(reply.err, command, key)
    end
    return reply
end
local function denied(command, key, ...)
    if redis.acl_check_cmd then
        local known, allowed = pcall(redis.acl_check_cmd, command, key, ...)
        if not known then -- Redis 8 needs complete commands: zadd, hset and pushes get arguments here
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
        and not string.find(text, 'out of range', 1, true) and not no_memory(text) and text
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
local function without_memory(...)
    first_write = {...}
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
