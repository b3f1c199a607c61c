-- Moves an undecodable value to the head of its queue; of equal values the newest.
--
-- KEYS[1] poison list   KEYS[2] queue
-- ARGV[1] the value's bytes
-- Returns 1 if the value was in the poison list, else 0.
-- Redisson: none; a value that RedissonBlockingQueue cannot decode is lost
need('lrem', KEYS[1], 'none', '')
without_memory('lrem', KEYS[1], 'none', '')
if not call('lpos', KEYS[1], ARGV[1], 'RANK', -1) then
    return 0
end
call('lpush', KEYS[2], ARGV[1])
undo('lpop', KEYS[2])
call('lrem', KEYS[1], -1, ARGV[1])
return 1
