-- include: times
-- Takes back one pending item, by its exact member, unless it was delivered or removed.
-- LREM passes along the list from one end: where the list is long, the time in an id of ours and
-- that in the middle of the list tell which end is nearer.
--
-- KEYS[1] delay list   KEYS[2] timeout set
-- ARGV[1] packed member
-- Returns 1 when it was pending, else 0.
-- Redisson: none; RedissonDelayedQueue.remove looks for a value
local LONG = 500
local function end_near(time, size)
    if time and size > LONG and not denied('lrange', KEYS[1], 'x', 'x') then
        local middle = math.floor(size / 2)
        local page = call('lrange', KEYS[1], middle, middle + 9)
        local there = first_time(page, 1, #page, 1)
        if there and time < there then
            return 1
        end
    end
    return -1
end
need('lrem', KEYS[1], 'none', '')
local size = call('llen', KEYS[1])
if call('zrem', KEYS[2], ARGV[1]) == 0 then
    return 0
end
call('lrem', KEYS[1], end_near(time_of(ARGV[1]), size), ARGV[1])
return 1
