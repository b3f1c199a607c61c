-- Pending entries that a script makes itself, with an id of pyredisson (protocol/delayed/item_id).
--
-- prefix_of(size, now, random, layout)   returns the bytes before a value of `size` bytes; `random`
--                                        has 8 bytes, or decimal text for dLc0
-- announce(timeouts, channel, entry, due)   publishes the due time if the entry is the head of the
--                                        timeout set. If PUBLISH is rejected, the script continues,
--                                        because each transfer task also polls
local function prefix_of(size, now, random, layout)
    if layout == 'dLc0' then
        return struct.pack('dL', tonumber(random), size)
    end
    return struct.pack('Bc0', 16, 'P' .. struct.pack('>I7', now * 1000) .. random)
        .. struct.pack('L', size)
end
local function announce(timeouts, channel, entry, due)
    if call('zrange', timeouts, 0, 0)[1] == entry then
        redis.pcall('publish', channel, due)
    end
end
