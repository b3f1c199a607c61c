-- Pops several elements from one end of a list.
--
-- KEYS[1] list
-- ARGV[1] lpop or rpop   ARGV[2] how many
-- Returns the elements.
-- Redisson: RedissonQueue.pollAsync(int), RedissonDeque.pollLastAsync(int)
local elements = {}
for i = 1, tonumber(ARGV[2]) do
    local element = call(ARGV[1], KEYS[1])
    if element == false then
        break
    end
    elements[i] = element
end
return elements
