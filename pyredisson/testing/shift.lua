-- Shortens the times to live of all keys of all databases, which deletes expired keys. It also
-- extends the leases that a client renews by the same time.
-- KEYS keep their times to live. ARGV[1] milliseconds; then the first four bytes of renewed tokens
local kept, renewed, passed = {}, {}, tonumber(ARGV[1])
for _, key in ipairs(KEYS) do kept[key] = true end
for i = 2, #ARGV do renewed[ARGV[i]] = true end

local function renew(leases)
    for _, token in ipairs(redis.call('ZRANGE', leases, 0, -1)) do
        if renewed[string.sub(token, 1, 4)] then redis.call('ZINCRBY', leases, passed, token) end
    end
end

local database = 0
while not redis.pcall('SELECT', database).err do
    database = database + 1
    local cursor = '0'
    repeat
        local page = redis.call('SCAN', cursor, 'COUNT', 1000)
        cursor = page[1]
        for _, key in ipairs(page[2]) do
            local moment = redis.call('PEXPIRETIME', key)
            if moment >= 0 and not kept[key] then
                redis.call('PEXPIREAT', key, string.format('%d', math.max(moment - passed, 0)))
            end
            if string.find(key, 'pyredisson_leases:', 1, true) == 1 then renew(key) end
        end
    until cursor == '0'
end
