-- in_parts(words, size, use)  calls a function with all words, as many at once as Lua can pass
local function in_parts(words, size, use)
    for first = 1, size, AT_ONCE do
        use(unpack(words, first, math.min(first + AT_ONCE - 1, size)))
    end
end
