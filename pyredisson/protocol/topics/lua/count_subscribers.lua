-- include: subscribers
-- Counts the subscribers of a reliable topic, with those that have expired and are not yet removed.
--
-- KEYS[1] stream
-- Returns their number.
-- Redisson: RedissonReliableTopic.countSubscribersAsync()
return #groups()
