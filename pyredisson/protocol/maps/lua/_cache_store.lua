-- store(key, value, old, ttl, idle)  stores a value, deletes the lease of the key and notifies
--            listeners. `old` is the live entry, or nil or false. ttl and idle are ms, 0 for no
--            limit, or nil for the limit of `old`
-- shrink(stored)   removes entries, at most AT_MOST, from a map above its maximum size. Begins
--            with the oldest access (LRU) or the fewest accesses (LFU). `stored` has the keys of
--            stored entries, both as elements and as fields. If these entries alone are too many,
--            removes the first of them. With LFU, notes an access to the others
local AT_MOST = 1000
need('del', LEASE)
local function store(key, value, old, ttl, idle)
    local before = old and old.data or call('hget', MAP, key)
    local limits = old or {expires = call('zscore', EXPIRES, key), idles = call('zscore', IDLES, key)}
    idle = idle or old and old.idle or 0
    call('hset', MAP, key, struct.pack('dLc0', idle, #value, value))
    if before then
        undo('hset', MAP, key, before)
    else
        undo('hdel', MAP, key)
    end
    if ttl and ttl > 0 then
        set_score(EXPIRES, now + ttl, key, limits.expires)
    elseif limits.expires and (ttl or not old) then
        remove('zrem', EXPIRES, key)
    end
    if idle > 0 then
        set_score(IDLES, now + idle, key, limits.idles)
    elseif limits.idles then
        remove('zrem', IDLES, key)
    end
    remove('del', LEASE .. key)
    if old then
        emit('updated', key, value, bare(old.data))
    else
        emit('created', key, value)
    end
    if mode ~= 'LFU' then
        use(key)
    end
end
local function shrink(stored)
    local surplus = most > 0 and math.min(call('hlen', MAP) - most, AT_MOST) or 0
    local oldest = surplus > 0 and call('zrange', USED, 0, surplus + #stored - 1) or {}
    local function displace(key)
        local data = call('hget', MAP, key)
        if data then
            surplus = surplus - 1
            drop({key = key, expires = true, idles = true})
            emit('removed', key, bare(data))
        else
            remove('zrem', USED, key)
        end
    end
    for i = 1, #oldest do
        if surplus > 0 and not stored[oldest[i]] then
            displace(oldest[i])
        end
    end
    local first = 1
    while surplus > 0 and first <= #stored - most do
        displace(stored[first])
        first = first + 1
    end
    for i = first, mode == 'LFU' and #stored or 0 do
        use(stored[i])
    end
end
