"""Replies to INFO replication: whether a server is a replica, and its history."""

from pyredisson.protocol.kernel.replication import Replication
from tests.support.rows import each_row

MASTER = b"# Replication\r\nrole:master\r\nconnected_slaves:1\r\nmaster_replid:8e1f\r\nx:1\r\n"
REPLICA = b"# Replication\r\nrole:slave\r\nmaster_host:10.0.0.1\r\nmaster_replid:8e1f\r\n"


@each_row(
    ("reply", "replication"),
    [
        (MASTER, Replication(replica=False, history=b"8e1f")),
        (REPLICA, Replication(replica=True, history=b"8e1f")),
        (b"role:replica\n", Replication(replica=True, history=b"")),
        (b"txt:" + REPLICA, Replication(replica=True, history=b"8e1f")),
        (b"role:active-replica\r\n", Replication(replica=False, history=b"")),  # KeyDB
        (b"# Replication\r\n", Replication(replica=False, history=b"")),
        (None, Replication(replica=False, history=b"")),
    ],
)
def test_replies(reply: bytes | None, replication: Replication) -> None:
    assert Replication.parse(reply) == replication
