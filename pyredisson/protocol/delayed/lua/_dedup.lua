-- Finds keys of deduplication that mean nothing. Each names the member that was offered with it, and
-- means nothing any more when that is not pending, whoever took it; so there are never many more than
-- pending items.
--
-- keys_left(keys, set, limit, but)   of some, drawn at random, those that mean nothing, without one
--                                    that is about to mean something; it only reads
local function keys_left(keys, set, limit, but)
    local some, left = call('hrandfield', keys, limit, 'withvalues'), {}
    for i = 1, #some, 2 do
        if some[i] ~= but and not call('zscore', set, some[i + 1]) then
            left[#left + 1] = some[i]
        end
    end
    return left
end
