-- server_ms()  returns the server's time in epoch milliseconds
local function server_ms()
    local time = redis.pcall('time')
    if failed(time) then
        abort(time.err, 'time', 'of the server')
    end
    return time[1] * 1000 + math.floor(time[2] / 1000)
end
