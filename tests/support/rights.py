"""Rights of users with few, for a queue ``q``, that several tests give."""

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
"""More than what checks."""
OBSERVING_CONSUMERS = ("+eval", "+evalsha", "+hget", "+zcount", "+zrange", "+zrank", "+zscore")
"""Who looks what consumers have in hand."""
POISON = "~pyredisson_poison:{q}"
FRESH = ("reset", "resetchannels", "on", "nopass")  # Redis 6.2 allows all channels otherwise
