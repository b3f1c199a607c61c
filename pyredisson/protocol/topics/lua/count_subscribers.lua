-- include: subscribers
-- Counts the subscribers of a reliable topic, also the expired ones that are not yet removed.
--
-- KEYS[1] stream
-- Returns their number.
-- Redisson: RedissonReliableTopic.countSubscribersAsync()
return #groups()
