-- Adds items to a queue.
--
-- add_items(kind, items, list, set, ready, dead, letters, keys)   adds items as `window` returns
--                    them. A pending item may have a third word, its dedup key, which may be empty
-- publish_head(items, set, channel)   publishes the earliest due time if it belongs to
--                    one of `items`
local function add_items(kind, items, list, set, ready, dead, letters, keys)
    for i = 1, #items do
        local first, second, third = unpack(items[i], 1, 3)
        if kind == 'ready' then
            call('rpush', ready, first)
            undo('rpop', ready)
        elseif kind == 'dead' then
            call('zadd', dead, second, first)
            undo('zrem', dead, first)
            if third then
                call('hset', letters, first, third)
                undo('hdel', letters, first)
            end
        else
            call('rpush', list, first)
            undo('rpop', list)
            if second then
                call('zadd', set, second, first)
                undo('zrem', set, first)
            end
            if second and third and third ~= '' and call('hsetnx', keys, third, first) == 1 then
                undo('hdel', keys, third)
            end
        end
    end
end
local function publish_head(items, set, channel)
    local head = call('zrange', set, 0, 0, 'withscores')
    for i = 1, #items do
        if items[i][1] == head[1] then
            call('publish', channel, head[2])
            return
        end
    end
end
