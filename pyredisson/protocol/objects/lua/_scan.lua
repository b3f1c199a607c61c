-- Calls each(name, value) for the fields of a page of a hash; returns the next cursor. Needs `steps`.
local function scan_fields(key, cursor, limit, each)
    in_steps(limit, 1, function(_, count)
        local found = call('hscan', key, cursor, 'count', count)
        for i = 1, #found[2], 2 do
            each(found[2][i], found[2][i + 1])
        end
        cursor = found[1]
        return found[2], cursor == '0'
    end)
    return cursor
end
