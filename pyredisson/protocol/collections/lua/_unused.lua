-- unused(list)  returns bytes that no element equals: Redisson's mark of an element to remove, then
--            as many `_` as needed
local function unused(list)
    local mark = 'DELETED_BY_REDISSON'
    while call('lpos', list, mark) do
        mark = mark .. '_'
    end
    return mark
end
