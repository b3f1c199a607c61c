-- Forgets keys of deduplication. Each names the member that was offered with it, and means nothing
-- any more when that is not pending, whoever took it; so there are never many more than pending
-- items.
--
-- forget_keys(keys, set, limit)   all where nothing is pending; else of some, drawn at random, those
--                                 that mean nothing
local function forget_keys(keys, set, limit)
    local pending = call('zcard', set)
    if pending == 0 then
        call('del', keys)
    elseif call('hlen', keys) > pending then
        local some = call('hrandfield', keys, limit, 'withvalues')
        for i = 1, #some, 2 do
            if not call('zscore', set, some[i + 1]) then
                call('hdel', keys, some[i])
            end
        end
    end
end
