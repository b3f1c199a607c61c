"""Script calls of reliable topics: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.topics.reliable_topic import ReliableTopicProtocol
from tests.support.streams import Stream

T = ReliableTopicProtocol("t", StringCodec())
OLDER = "{t}:subscribers"
KEYS = {b"s": 2**52, b"late": 2**52}
MESSAGES = Stream({"1-0": b"a", "2-0": b"b", "3-0": b"c"}, {"s": "1-0", "late": "1-0"})
MINE = Stream({"1-0": b"a", "2-0": b"b"}, {"s": "1-0"})
PENDING = Stream({"1-0": b"a", "2-0": b"b"}, {"s": "0-0", "java": "2-0"}, read=("java", "1-0"))

Stored = tuple[tuple[str, Any], ...]
TOPICS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (T.publish("m"), (), ""),
    (T.publish("m"), (("t", MINE),), " to one"),
    (T.publish("m"), ((OLDER, {b"old": 1}),), " beside an older layout"),
    (T.subscribe("s", 60_000), (), ""),
    (T.subscribe("s", 60_000), (("t", MINE), (T.timeouts, KEYS)), " again"),
    (T.subscribe("new", 60_000), (("t", MESSAGES), (T.timeouts, KEYS)), " another"),
    (T.advance("s", "2-0"), (("t", MINE), (T.timeouts, {b"s": 2**52})), ""),
    (T.advance("s", "1-0"), (("t", MINE), (T.timeouts, {b"s": 2**52})), " again"),
    (
        T.advance("s", "2-0"),
        (("t", MESSAGES), (T.timeouts, {b"s": 1, b"late": 2})),
        " of late ones",
    ),
    (T.advance("s", "2-0"), (("t", PENDING), (T.timeouts, {b"s": 2**52})), " of pending ones"),
    (T.advance("s", "2-0"), (("t", MINE),), " of none"),
    (T.renew("s", 60_000), ((T.timeouts, KEYS),), ""),
    (T.renew("s", 60_000), (), " of none"),
    (T.unsubscribe("s"), (("t", MESSAGES), (T.timeouts, KEYS)), ""),
    (T.count_subscribers(), (("t", MESSAGES),), ""),
)
KINDS = {"t": "stream", T.timeouts: "zset", OLDER: "zset"}
