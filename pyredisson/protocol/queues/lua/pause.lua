-- include: consumers/takers
-- Pauses a queue for the consumers of pyredisson.
--
-- KEYS[1] key of the pause   KEYS[2] list `resumed`, which wakes consumers at the end of a pause
-- Returns nil.
-- Redisson: none; RedissonBlockingQueue cannot be paused
need_takers(KEYS[2])
need('set', KEYS[1])
call('del', KEYS[2])
call('set', KEYS[1], 1)
return nil
