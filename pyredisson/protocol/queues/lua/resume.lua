-- Ends the pause of a queue, and wakes the consumers that wait for its end.
-- The consumers wait with a BLMOVE of the list `resumed` to itself, so one element wakes them all.
--
-- KEYS[1] key of the pause   KEYS[2] list `resumed`
-- ARGV[1] time to live of the list `resumed`, ms
-- Returns nil.
-- Redisson: none; RedissonBlockingQueue cannot be paused
if call('exists', KEYS[1]) == 1 then
    need('del', KEYS[1])
    without_memory('pexpire', KEYS[2], '')
    call('rpush', KEYS[2], 1)
    undo('rpop', KEYS[2])
    call('pexpire', KEYS[2], ARGV[1])
    call('del', KEYS[1])
end
return nil
