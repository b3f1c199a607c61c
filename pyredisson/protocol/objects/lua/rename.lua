-- Renames the keys of an object that exist.
--
-- KEYS    the old names, then as many new ones
-- ARGV[1] nx to refuse when any new name exists, or empty
-- Returns 1, or 0 when a new name exists; an error when no old name does.
-- Redisson: RedissonObject.renameAsync and renamenxAsync, over all keys instead of the target list
local half = #KEYS / 2
if call('exists', unpack(KEYS, 1, half)) == 0 then
    return redis.error_reply('ERR no such key')
end
if ARGV[1] == 'nx' and call('exists', unpack(KEYS, half + 1)) > 0 then
    return 0
end
local there = {}
for i = 1, half do
    there[i] = call('exists', KEYS[i]) == 1
    if there[i] then
        need('rename', KEYS[i], KEYS[i])
    end
end
for i = 1, half do
    if not there[i] then
        call('del', KEYS[half + i])
    end
end
for i = 1, half do
    if there[i] then
        call('rename', KEYS[i], KEYS[half + i])
    end
end
return 1
