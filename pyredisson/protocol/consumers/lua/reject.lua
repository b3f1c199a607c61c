-- include: records
-- Makes a message a dead letter.
--
-- KEYS[1] leases   KEYS[2] taken   KEYS[3] dead   KEYS[4] dead letters
-- ARGV[1] token   ARGV[2] the encoded reason, which this script does not read
-- Returns 1 if its lease had not ended, else 0.
-- Redisson: none; RedissonBlockingQueue has no dead letters
need('zrem', KEYS[1], 'pyredisson_none')
need('hdel', KEYS[2], 'pyredisson_none')
need('zadd', KEYS[3])
need('hset', KEYS[4])
local now = server_ms()
local record = held(KEYS[1], KEYS[2], ARGV[1], now)
if not record then
    return 0
end
local message = message_of(record)
message.expires = 0
without_memory('zrem', KEYS[1], 'pyredisson_none')
add(KEYS[3], now, message.id)
local why = struct.pack('>I4', string.len(ARGV[2])) .. ARGV[2]
call('hset', KEYS[4], message.id, why .. record_of(message))
undo('hdel', KEYS[4], message.id)
end_lease(KEYS[1], KEYS[2], ARGV[1])
return 1
