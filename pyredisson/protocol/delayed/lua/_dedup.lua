-- Finds leftover dedup keys. Each key has the entry that was offered with it. The key is leftover
-- if that entry is no longer pending. The caller deletes these keys, so they do not accumulate.
--
-- keys_left(keys, set, limit, but)   returns the leftover keys among up to `limit` random keys,
--                                    without the key `but`; only reads
local function keys_left(keys, set, limit, but)
    local some, left = call('hrandfield', keys, limit, 'withvalues'), {}
    for i = 1, #some, 2 do
        if some[i] ~= but and not call('zscore', set, some[i + 1]) then
            left[#left + 1] = some[i]
        end
    end
    return left
end
