-- current()   returns the number in KEYS[1] as text; a missing key counts as 0
-- less(a, b)  returns whether a < b, for numbers as text. The result is also exact for integers
--             that a double cannot hold
local function current()
    local text = call('get', KEYS[1]) or '0'
    if not tonumber(text) then
        abort('ERR value is not a number', 'get', KEYS[1])
    end
    return text
end
local function less(a, b)
    local x, y = tonumber(a), tonumber(b)
    if x ~= y then
        return x < y
    end
    local integers = string.find(a .. b, '^%-?%d+%-?%d+$')
    if not integers or a == b then
        return false
    end
    local shorter = #a < #b or (#a == #b and a < b)
    return shorter ~= (x < 0)
end
