-- need_takers(key)   ends the script with an error on a server before Redis 6.2. There, no consumer
--                    could take the elements that the script stores. This function writes nothing
local function need_takers(key)
    local text = not redis.acl_check_cmd and failed(redis.pcall('lpop', key, 'x'))
    if text and string.find(text, 'umber of arg', 1, true) then
        abort(text, 'lpop', key)
    end
end
