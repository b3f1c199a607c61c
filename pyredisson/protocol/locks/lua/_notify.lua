-- notify(channel, message, command, other)  publishes by a command, and by another one unless it is
--            ''; returns the error text of the first, if it was rejected. No waiter needs a message.
--            Without a command it does nothing
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
