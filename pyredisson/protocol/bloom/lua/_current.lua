-- is_current(size, iterations)  returns whether the stored configuration has these numbers
local function is_current(size, iterations)
    return tonumber(call('hget', KEYS[1], 'size') or '') == tonumber(size)
        and tonumber(call('hget', KEYS[1], 'hashIterations') or '') == tonumber(iterations)
end
