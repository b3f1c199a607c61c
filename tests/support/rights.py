"""Rights for restricted users of a queue ``q``, for several tests."""

LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
KEYS = ("~q", f"~{LIST}", f"~{SET}", f"~{CHANNEL}")

TRANSFER = (
    "+subscribe",
    "+eval",
    "+evalsha",
    "+zrangebyscore",
    "+rpush",
    "+lrem",
    "+zrem",
    "+zrange",
    "+ping",
)
CHECKS = (
    "+eval",
    "+evalsha",
    "+type",
    "+pttl",
    "+hexists",
    "+hget",
    "+hkeys",
    "+hscan",
    "+hstrlen",
    "+llen",
    "+lpos",
    "+lrange",
    "+zcard",
    "+zrangebylex",
    "+zrangebyscore",
    "+zscan",
    "+zscore",
)
REPAIRS = (
    "+time",
    "+persist",
    "+publish",
    "+hdel",
    "+hset",
    "+lpop",
    "+lpush",
    "+lrem",
    "+rpush",
    "+zadd",
    "+zrange",
    "+zrem",
)
"""The rights of a repair, in addition to those of a check."""
OBSERVING_CONSUMERS = ("+eval", "+evalsha", "+hget", "+zcount", "+zrange", "+zrank", "+zscore")
"""The rights to read the messages that consumers hold."""
POISON = "~pyredisson_poison:{q}"
FRESH = ("reset", "resetchannels", "on", "nopass")  # Redis 6.2 allows all channels otherwise
