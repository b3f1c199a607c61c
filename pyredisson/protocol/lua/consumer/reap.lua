-- include: records
-- include: returns
-- Puts back what consumers that are gone have taken.
-- What is arriving may come back at any time: whoever waits for it takes from the queue as well.
--
-- KEYS[1] queue   KEYS[2] arriving   KEYS[3] leases   KEYS[4] taken   KEYS[5] returned
-- ARGV[1] how many at most
-- Returns when the next lease ends, epoch ms, or nil.
-- Redisson: none; RedissonBlockingQueue loses what a consumer that is gone had taken
need('lpop', KEYS[2])
need('lpush', KEYS[1])
need('zrem', KEYS[3], 'pyredisson_none')
need('hdel', KEYS[4], 'pyredisson_none')
need('hset', KEYS[5])
need('zrange', KEYS[3], 0, 0)
put_back_arriving(KEYS[1], KEYS[2])
put_back_ended(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], server_ms(), ARGV[1])
return call('zrange', KEYS[3], 0, 0, 'WITHSCORES')[2] or nil
