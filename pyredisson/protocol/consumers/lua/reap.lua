-- include: kernel/steps
-- include: records
-- include: returns
-- include: ended
-- include: expiry
-- Requeues the messages of crashed consumers, and removes expired items.
-- The script also requeues the in-transit list. This is safe at any time, because consumers also
-- take from the queue.
--
-- KEYS[1] queue   KEYS[2] arriving   KEYS[3] leases   KEYS[4] taken   KEYS[5] returned
-- KEYS[6] timeout set   KEYS[7] expiring   KEYS[8] expiries   KEYS[9] dead   KEYS[10] dead letters
-- KEYS[11] consumers
-- ARGV[1] the maximum number of messages, and of expired items; fewer if they are large
-- Returns {when the next lease ends or the next item expires, epoch ms, or false; for each message
-- whose lease had ended in turn 'ended' and its consumer's name, and its record without the value;
-- for each expired item in turn 'dead' or 'dropped', and its record}.
-- Redisson: none; RedissonBlockingQueue loses what a crashed consumer had taken
need('lpop', KEYS[2], 'x')
need('lpush', KEYS[1])
need('zrem', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
need('zadd', KEYS[5])
local now, limit, gone = server_ms(), tonumber(ARGV[1]), {}
without_memory('zrem', KEYS[3], 'pyredisson_none')
local messages, ended, _, log = ended_messages(KEYS[3], KEYS[4], KEYS[11], now, limit)
add_arriving(KEYS[2], messages)
local ends = call('zrange', KEYS[3], ended, ended, 'WITHSCORES')[2]
local expires = expire(
    KEYS[1], KEYS[2], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], now, limit, gone
)
requeue(KEYS[1], KEYS[5], messages, now)
local moment = ends and expires and math.min(ends, expires) or ends or expires or false
return {moment, unpack(both(log, gone))}
