-- include: window
-- Reads items of a queue, or of a migration.
--
-- KEYS[1] delay list   KEYS[2] timeout set   KEYS[3] target list   KEYS[4] dead
-- KEYS[5] dead letters
-- ARGV[1] pending, ready or dead   ARGV[2] first place, from 0   ARGV[3] maximum number
-- Returns for each item {entry, score or nil}, {value} or {id, time, letter or nil}.
-- Redisson: none; RedissonDelayedQueue.readAll has no times
return window(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
