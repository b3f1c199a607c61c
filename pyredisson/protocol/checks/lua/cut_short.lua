-- Finds truncated records, which no client can read.
-- A repair moves the remaining bytes of a record to the poison list, and removes its time.
--
-- KEYS[1] times   KEYS[2] records   KEYS[3] poison list
-- ARGV look or repair; the minimum length of a record; 1 if a length (4, big-endian) and that many
--      bytes precede the record, else 0; then names
-- Returns the names of the truncated records.
-- Redisson: none; RedissonBlockingQueue keeps no records
local action, least = table.remove(ARGV, 1), tonumber(table.remove(ARGV, 1))
local behind, short, records = table.remove(ARGV, 1) == '1', {}, {}
if action == 'repair' then
    need('rpush', KEYS[3])
    need('zrem', KEYS[1], 'pyredisson_none')
    need('hdel', KEYS[2], 'pyredisson_none')
    without_memory('zrem', KEYS[1], 'pyredisson_none')
end
for i = 1, #ARGV do
    local is_read = behind or call('hstrlen', KEYS[2], ARGV[i]) < least
    local record, size = is_read and call('hget', KEYS[2], ARGV[i]), least
    if behind then
        size = size + 4 + (record and #record >= 4 and struct.unpack('>I4', record) or 0)
    end
    if record and #record < size then
        short[#short + 1], records[#records + 1] = ARGV[i], record
    end
end
for i = 1, action == 'repair' and #short or 0 do
    if records[i] ~= '' then
        call('rpush', KEYS[3], records[i])
        undo('rpop', KEYS[3])
    end
    remove('zrem', KEYS[1], short[i])
    remove('hdel', KEYS[2], short[i])
end
return short
