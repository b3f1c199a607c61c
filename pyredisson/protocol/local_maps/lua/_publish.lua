-- log_change(member)  logs a change with a time 2 s in the future, because the clocks of other
--            clients are not exact
-- publish(command, other, message)  publishes a message with `command`; also with the command
--            `other`, unless `other` is ''. If the message is '', publishes nothing. Sets the log's
--            time to live to 670 s. At the end of the script, removes the changes older than 11
--            minutes from the log
local now = server_ms()
local function log_change(member)
    local before = call('zscore', KEYS[3], member)
    call('zadd', KEYS[3], now + 2000, member)
    if before then
        undo('zadd', KEYS[3], before, member)
    else
        undo('zrem', KEYS[3], member)
    end
end
local function publish(command, other, message)
    local ttl = call('pttl', KEYS[3])
    call('pexpire', KEYS[3], 670000)
    if ttl < 0 then
        undo('persist', KEYS[3])
    end
    if message ~= '' then
        if other ~= '' then
            redis.pcall(other, KEYS[2], message)
        end
        call(command, KEYS[2], message)
    end
    remove('zremrangebyscore', KEYS[3], '-inf', now - 660000)
end
