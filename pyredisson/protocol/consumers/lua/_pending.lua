-- A pending member for a value that a script itself makes pending, with an id of ours
-- (protocol/delayed/item_id).
--
-- prefix_of(size, now, random, layout)   what stands before a value of so many bytes; `random` are 8
--                                        bytes, for dLc0 decimal text
-- announce(timeouts, channel, member, due)   if it is the next to be due; that nobody hears of it is
--                                        no error: every transfer task looks again by itself
local function prefix_of(size, now, random, layout)
    if layout == 'dLc0' then
        return struct.pack('dL', tonumber(random), size)
    end
    return struct.pack('Bc0', 16, 'P' .. struct.pack('>I7', now * 1000) .. random)
        .. struct.pack('L', size)
end
local function announce(timeouts, channel, member, due)
    if call('zrange', timeouts, 0, 0)[1] == member then
        redis.pcall('publish', channel, due)
    end
end
