-- Calls each(first, second) for the pairs of a page of HSCAN or ZSCAN; returns the next cursor.
-- Needs `steps`. Without `pattern`, all pairs match.
local function scan_page(command, key, cursor, limit, each, pattern)
    in_steps(limit, 1, function(_, count)
        local found = call(command, key, cursor, 'match', pattern or '*', 'count', count)
        for i = 1, #found[2], 2 do
            each(found[2][i], found[2][i + 1])
        end
        cursor = found[1]
        return found[2], cursor == '0'
    end)
    return cursor
end
