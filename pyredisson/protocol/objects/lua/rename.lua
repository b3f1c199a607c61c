-- Renames the existing keys of an object, and deletes the other keys' new names.
--
-- KEYS    the old names, then as many new names
-- ARGV[1] nx to do nothing if any new name exists, or empty
-- Returns 1; 0 if, with nx, a new name exists; an error if no old name exists.
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
