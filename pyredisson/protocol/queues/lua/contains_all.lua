-- Checks whether all values are in a list.
--
-- KEYS[1] list
-- ARGV    value bytes, one or more
-- Returns 1 if all values are in the list, else 0.
-- Redisson: RedissonList.containsAllAsync(Collection)
for i = 1, #ARGV do
    if not call('lpos', KEYS[1], ARGV[i]) then
        return 0
    end
end
return 1
