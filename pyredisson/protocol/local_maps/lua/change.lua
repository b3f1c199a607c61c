-- include: kernel/clock
-- include: publish
-- Sets or removes the values of keys. Logs each key, also if nothing changes.
-- Publishes the message, unless it is ''.
--
-- KEYS[1] map   KEYS[2] channel   KEYS[3] log of changes
-- ARGV command that publishes, a second one or '', message if the condition holds, message if not,
-- 'hset' or 'hdel', condition ('', 'absent', 'present', 'equal'), expected value; then for each key
-- its bytes, its value, its member of the log
-- Returns how many keys existed; 1 if the condition held, else 0; and the last key's previous
-- value, or nil.
-- Redisson: RedissonLocalCachedMap.putOperationAsync(Object, Object) and the like
local words = {}
for i = 1, 7 do
    words[i] = table.remove(ARGV, 1)
end
local write, condition, existed, held, old = words[5], words[6], 0, true, false
if write == 'hdel' then
    need('hdel', KEYS[1])
    without_memory('hdel', KEYS[1], 'pyredisson_none')
end
for i = 1, #ARGV, 3 do
    local key = ARGV[i]
    old = call('hget', KEYS[1], key)
    existed = existed + (old and 1 or 0)
    if condition == 'absent' then
        held = not old
    elseif condition ~= '' then
        held = old and (condition == 'present' or old == words[7])
    end
    if held and write == 'hset' then
        call('hset', KEYS[1], key, ARGV[i + 1])
        if old then
            undo('hset', KEYS[1], key, old)
        else
            undo('hdel', KEYS[1], key)
        end
    end
    log_change(ARGV[i + 2])
end
publish(words[1], words[2], held and words[3] or words[4])
for i = 1, held and write == 'hdel' and #ARGV or 0, 3 do
    remove('hdel', KEYS[1], ARGV[i])
end
return {existed, held and 1 or 0, old}
