-- Checks which commands the Redis user may run, without running them.
--
-- KEYS[1] queue; in a cluster it decides which node runs the script
-- ARGV    for each command in turn: the number of its words, and the words
-- Returns for each command 1 if it is permitted, 0 if not, -1 if the server does not know the
-- command; nil before Redis 7.0, which has no acl_check_cmd.
-- Redisson: none; RedissonDelayedQueue checks no permissions
if not redis.acl_check_cmd then
    return false
end
local found, i = {}, 1
while i <= #ARGV do
    local last = i + tonumber(ARGV[i])
    local known, permitted = pcall(redis.acl_check_cmd, unpack(ARGV, i + 1, last))
    found[#found + 1] = known and (permitted and 1 or 0) or -1
    i = last + 1
end
return found
