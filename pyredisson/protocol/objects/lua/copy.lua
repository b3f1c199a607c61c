-- Copies the keys of an object.
-- In the same database, copies no key if any target exists, unless ARGV[2] is replace. To another
-- database, copies each key whose target does not exist, or with replace all keys.
--
-- KEYS    the sources, then as many targets
-- ARGV[1] database, or empty for this one   ARGV[2] replace, or empty
-- Returns 1 if any key was copied, else 0.
-- Redisson: RedissonDelayedQueue.copyAsync, which writes its first key to a wrong name
local half, result = #KEYS / 2, 0
if ARGV[1] == '' and ARGV[2] == '' and call('exists', unpack(KEYS, half + 1)) > 0 then
    return 0
end
for i = 1, half do
    local words = {'copy', KEYS[i], KEYS[half + i]}
    if ARGV[1] ~= '' then
        words[#words + 1] = 'db'
        words[#words + 1] = ARGV[1]
    end
    if ARGV[2] ~= '' then
        words[#words + 1] = ARGV[2]
    end
    result = math.max(result, call(unpack(words)))
end
return result
