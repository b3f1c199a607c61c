-- need_takers(key)   ends the script on a server before Redis 6.2, because no consumer could take what
--                    the script would leave there. It writes nothing
local function need_takers(key)
    local text = not redis.acl_check_cmd and failed(redis.pcall('lpop', key, 'x'))
    if text and string.find(text, 'umber of arg', 1, true) then
        abort(text, 'lpop', key)
    end
end
