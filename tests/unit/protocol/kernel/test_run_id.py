"""The id of a server's process, from the reply to INFO."""

from typing import Any

from pyredisson.protocol.kernel.run_id import ASK, run_id
from tests.support.rows import each_row

REDIS = b"# Server\r\nredis_version:7.0.15\r\nprocess_id:12\r\nrun_id:0f2a99\r\ntcp_port:6379\r\n"
VALKEY = b"# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nrun_id:beef\r\n"


@each_row(
    ("reply", "run"),
    [
        (REDIS, b"0f2a99"),
        (VALKEY, b"beef"),
        (b"# Proxy\r\nversion:1\r\n", None),
        (b"master_run_id:0f2a99\r\n", None),
        (b"run_id:\r\n", None),
        (None, None),
        (1, None),
    ],
)
def test_the_run_of_a_server(reply: Any, run: bytes | None) -> None:
    assert run_id(reply) == run


def test_run_id_is_requested_by_info() -> None:
    assert ASK == ("INFO", "server")
