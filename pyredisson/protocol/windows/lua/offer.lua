-- include: consumers/records
-- include: consumers/pending
-- include: consumers/takers
-- include: delayed/entry
-- include: groups
-- Adds a value to the open group of a key, or starts a group.
-- If the group is then full, pushes its token to the queue.
--
-- KEYS[1] queue   KEYS[2] timeout set   KEYS[3] delay list   KEYS[4] channel   KEYS[5] open
-- KEYS[6] groups
-- ARGV[1] key   ARGV[2] value bytes   ARGV[3] values of a full group   ARGV[4] ms until due
-- ARGV[5] token of a new group   ARGV[6] id (16) of a new group
-- ARGV[7] 8 random bytes of its pending id (decimal text for dLc0)   ARGV[8] format: Bc0Lc0 or dLc0
-- Returns the group's {id, number of values, due, 1 if this offer started it, else 0}.
-- Redisson: none; RedissonDelayedQueue.offerAsync and its transfer do this for a token
local QUEUE, TIMEOUTS, LISTED, CHANNEL = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local OPEN, GROUPS, KEY = KEYS[5], KEYS[6], ARGV[1]
need_takers(QUEUE)
need('rpush', QUEUE)
need('zadd', TIMEOUTS)
need('zrem', TIMEOUTS, 'pyredisson_none')
need('zrange', TIMEOUTS, 0, 0)
need('rpush', LISTED)
need('lrem', LISTED, 'none', '')
need('hset', OPEN)
need('hdel', OPEN, 'pyredisson_none')
need('hset', GROUPS)
local now = server_ms()
local before = call('hget', OPEN, KEY)
local entry, due = before, before and call('zscore', TIMEOUTS, before)
local token = due and value_of(entry) or ARGV[5]
local sha = redis.sha1hex(token)
local size, id = head_of(GROUPS, sha)
local is_new = not size
if is_new then
    token, size, id, due = ARGV[5], 0, ARGV[6], now + ARGV[4]
    sha = redis.sha1hex(token)
    entry = prefix_of(#token, now, ARGV[7], ARGV[8]) .. token
end
local function head()
    return struct.pack('>I4c16', size, id) .. KEY
end
local old = head()
size = size + 1
call('hset', GROUPS, sha, head(), sha .. size, ARGV[2])
undo(function()
    if is_new then
        call('hdel', GROUPS, sha, sha .. size)
    else
        call('hset', GROUPS, sha, old)
        call('hdel', GROUPS, sha .. size)
    end
end)
if size >= tonumber(ARGV[3]) then
    call('rpush', QUEUE, token)
    undo('lrem', QUEUE, -1, token)
    if not is_new then
        call('lrem', LISTED, 1, entry)
        call('zrem', TIMEOUTS, entry)
        call('hdel', OPEN, KEY)
    end
elseif is_new then
    call('zadd', TIMEOUTS, due, entry)
    undo('zrem', TIMEOUTS, entry)
    call('rpush', LISTED, entry)
    undo('lrem', LISTED, -1, entry)
    call('hset', OPEN, KEY, entry)
    if before then
        undo('hset', OPEN, KEY, before)
    else
        undo('hdel', OPEN, KEY)
    end
    announce(TIMEOUTS, CHANNEL, entry, due)
end
return {id, size, tonumber(due), is_new and 1 or 0}
