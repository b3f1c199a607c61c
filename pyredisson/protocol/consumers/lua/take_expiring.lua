-- include: kernel/steps
-- include: records
-- include: returns
-- include: ended
-- include: consumers
-- include: taking
-- include: expiry
-- Takes elements as take.lua does, from a queue with items that expire.
-- Dead-letters or drops expired items, and takes the next elements instead.
--
-- KEYS[1] queue   KEYS[2] arriving   KEYS[3] leases   KEYS[4] taken   KEYS[5] returned
-- KEYS[6] retried   KEYS[7] postponed   KEYS[8] timeout set   KEYS[9] paused
-- KEYS[10] expiring   KEYS[11] expiries   KEYS[12] dead   KEYS[13] dead letters
-- KEYS[14] consumers
-- ARGV[1] the maximum number; fewer if they are large   ARGV[2] lease, ms
-- ARGV[3] the first 14 bytes of the tokens; the first 4 identify the consumer
-- ARGV[4] 1 after a wait for the end of a pause, else 0
-- Optional KEYS[15] due times, if the consumer reads when messages were due
-- Optional ARGV[5] ms for which to store the name   ARGV[6] the consumer's 4 bytes and name
-- Returns what take.lua returns, but never 'expiring'. If any item had expired, now is replaced
-- with {now; the words for ended leases as in take.lua; for each of these items in turn 'dead' or
-- 'dropped', and its record}, even if no message follows.
-- Redisson: none; RedissonBlockingQueue.poll has no record of what it takes
local EXPIRIES = KEYS[11]
return take({
    record = function(value)
        return find_delivered(EXPIRIES, EXPIRING, TIMEOUTS, value)
    end,
    bury = function(message, now, gone)
        bury(KEYS[12], KEYS[13], message, now, gone)
    end,
    forget = function(limit)
        forget_taken(TIMEOUTS, EXPIRING, EXPIRIES, limit)
    end,
}, KEYS[14], KEYS[15])
