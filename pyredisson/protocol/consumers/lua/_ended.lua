-- Leases that have ended: their consumers crashed, or could not extend them.
local SOME, MOST_NAMES = 100, 1000
local function both(log, gone)
    for i = 1, #gone do
        log[#log + 1] = gone[i]
    end
    return log
end
local names
local function name_of(consumers, token)
    if not names then
        names = {}
        local called = redis.pcall('zrange', consumers, -MOST_NAMES, -1)
        for _, each in ipairs(failed(called) and {} or called) do
            names[string.sub(each, 1, 4)] = string.sub(each, 5)
        end
    end
    return names[string.sub(token, 1, 4)] or ''
end
-- Removes at most `limit` leases that have ended, the earliest end first; fewer if their messages
-- are large. Returns the messages, how many leases it read, how many bytes it read, and a list. The
-- list has for each message 'ended' with the consumer's name, and the record without its value. A
-- lease with a truncated record stays, so that a check finds it.
local function ended_messages(leases, taken, consumers, now, limit)
    local ended, messages, log = call('zrangebyscore', leases, '-inf', now, 'limit', 0, limit), {}, {}
    local count, bytes = 0, 0
    while count < #ended and bytes < ENOUGH do
        count = count + 1
        local record = call('hget', taken, ended[count])
        if not record or #record >= HEAD then
            end_lease(leases, taken, ended[count])
        end
        if record and #record >= HEAD then
            local message = message_of(record)
            message.expires, bytes = 0, bytes + #record
            messages[#messages + 1] = message
            log[#log + 1] = 'ended' .. name_of(consumers, ended[count])
            log[#log + 1] = head_of(message)
        end
    end
    return messages, count, bytes, log
end
