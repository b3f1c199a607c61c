-- Ends the pause of a queue, and wakes the consumers that wait for that.
-- They wait for a list with BLMOVE from it to itself, so one element wakes them all.
--
-- KEYS[1] paused   KEYS[2] resumed
-- ARGV[1] for how long that list is there, ms
-- Returns nil.
-- Redisson: none; RedissonBlockingQueue cannot be paused
if call('exists', KEYS[1]) == 1 then
    need('del', KEYS[1])
    call('rpush', KEYS[2], 1)
    undo('rpop', KEYS[2])
    call('pexpire', KEYS[2], ARGV[1])
    call('del', KEYS[1])
end
return nil
