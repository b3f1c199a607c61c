-- include: delayed/entry
-- include: windows/groups
-- Checks and repairs a group that has missing or uncounted values.
-- A repair numbers the existing values from 1 and counts them in the group's head. If the head is
-- missing and the key is known, the repair makes a new head. If the key is unknown, the repair
-- moves the values to the poison list and deletes the group. A repair also deletes a group without
-- values.
--
-- KEYS[1] groups   KEYS[2] open   KEYS[3] poison list
-- ARGV[1] look or repair   ARGV[2] SHA1 of the group's token
-- ARGV[3] the maximum number of values of a group
-- ARGV[4] and ARGV[5] the group's key and id if `open` has them, else '' and ''
-- Returns {1 if values are missing, else 0; number of fields that the head does not count}.
-- Redisson: none; RedissonBlockingQueue has no groups
local GROUPS, OPEN, POISON, sha = KEYS[1], KEYS[2], KEYS[3], ARGV[2]
local head, size, id, key = call('hget', GROUPS, sha), head_of(GROUPS, sha)
local holder = call('hget', GROUPS, sha .. 0)
local places, counted = {}, 0
for place = 1, ARGV[3] do
    if call('hexists', GROUPS, sha .. place) == 1 then
        places[#places + 1] = place
        counted = counted + (size and place <= size and 1 or 0)
    end
end
local lacks = head and (not size and #places == 0 or size and counted < size)
local uncounted = #places - counted + (holder and not head and 1 or 0)
if ARGV[1] == 'look' or not lacks and uncounted == 0 then
    return {lacks and 1 or 0, uncounted}
end
local values = {}
for i = 1, #places do
    values[i] = call('hget', GROUPS, sha .. places[i])
end
local entry = call('hget', OPEN, key or ARGV[4])
local named = entry and redis.sha1hex(value_of(entry) or '') == sha
if named and not key then
    id, key = ARGV[5], ARGV[4]
end
need('rpush', POISON)
need('hset', GROUPS)
need('hdel', GROUPS, 'pyredisson_none')
need('hdel', OPEN, 'pyredisson_none')
without_memory('hdel', OPEN, 'pyredisson_none')
local function put(name, value, before)
    call('hset', GROUPS, name, value)
    if before then
        undo('hset', GROUPS, name, before)
    else
        undo('hdel', GROUPS, name)
    end
end
local function renumber()
    local before = {}
    for i = 1, #places do
        before[places[i]] = values[i]
    end
    for i = 1, #places do
        if places[i] ~= i then
            put(sha .. i, values[i], before[i])
        end
        if places[i] > #places then
            remove('hdel', GROUPS, sha .. places[i])
        end
    end
    put(sha, struct.pack('>I4c16', #places, id) .. key, head)
end
local function give_up()
    for i = 1, #places do
        call('rpush', POISON, values[i])
        undo('rpop', POISON)
        remove('hdel', GROUPS, sha .. places[i])
    end
    remove('hdel', GROUPS, sha)
    remove('hdel', GROUPS, sha .. 0)
    if named then
        remove('hdel', OPEN, key)
    end
end
if key and #places > 0 then
    renumber()
else
    give_up()
end
return {lacks and 1 or 0, uncounted}
