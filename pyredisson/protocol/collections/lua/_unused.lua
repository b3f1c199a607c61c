-- unused(list)  returns bytes that no element has: Redisson's mark of an element to remove, with as
--            many `_` at its end as needed
local function unused(list)
    local mark = 'DELETED_BY_REDISSON'
    while call('lpos', list, mark) do
        mark = mark .. '_'
    end
    return mark
end
