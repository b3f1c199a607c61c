-- in_parts(words, size, use)  calls `use` with the first `size` words, at most AT_ONCE in one call
local function in_parts(words, size, use)
    for first = 1, size, AT_ONCE do
        use(unpack(words, first, math.min(first + AT_ONCE - 1, size)))
    end
end
