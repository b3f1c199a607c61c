-- include: groups
-- Reads groups whole.
--
-- KEYS[1] groups
-- ARGV tokens
-- Returns for each {key, id, values}; nil where nothing is kept under a token.
-- Redisson: none; RedissonDelayedQueue knows no groups
local found = {}
for i = 1, #ARGV do
    local sha = redis.sha1hex(ARGV[i])
    local size, id, key = head_of(KEYS[1], sha)
    found[i] = false
    if size then
        found[i] = {key, id}
        for _, fields in values_of(sha, size) do
            for _, value in ipairs(call('hmget', KEYS[1], unpack(fields))) do
                table.insert(found[i], value)
            end
        end
    end
end
return found
