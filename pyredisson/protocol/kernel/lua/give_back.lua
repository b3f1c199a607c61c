-- Adds the elements that an earlier command removed, also if the server has no memory left.
--
-- KEYS[1] list, set or sorted set
-- ARGV RPUSH, LPUSH, SADD or ZADD; then elements, or for ZADD the word NX, then scores and elements
-- Returns nil.
-- Redisson: none; an interrupted RedissonBlockingQueue.take loses the element
without_memory('zrem', KEYS[1], 'pyredisson_none')
local command = table.remove(ARGV, 1)
for first = command == 'ZADD' and 2 or 1, #ARGV, AT_ONCE do
    local last = math.min(first + AT_ONCE - 1, #ARGV)
    if command == 'ZADD' then
        call('zadd', KEYS[1], 'nx', unpack(ARGV, first, last))
    else
        call(command, KEYS[1], unpack(ARGV, first, last))
    end
end
return nil
