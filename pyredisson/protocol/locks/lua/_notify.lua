-- notify(channel, message, command, other)  publishes with `command`, and with `other` unless it is
--            ''. Returns the error text if `command` was rejected, else nil. A rejection does not
--            end the script, because waiters also try again when the lease ends. If `command` is
--            '', publishes nothing and returns nil
local function notify(channel, message, command, other)
    if command == '' then
        return nil
    end
    if other ~= '' then
        redis.pcall(other, channel, message)
    end
    local reply = redis.pcall(command, channel, message)
    return failed(reply) and describe_error(reply.err, command, channel) or nil
end
