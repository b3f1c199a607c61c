"""Record what Redisson 3.27.2 does with counters, bits, keys, sets, lists and locks.

Run it as `python -m interop.vectors.record_objects`. The tests of these objects compare Python with
this, and with other releases that run beside it.
"""

from __future__ import annotations

from interop.peer import JavaPeer
from interop.tests import test_bits, test_collections, test_counters, test_keys, test_locks_recorded
from interop.tests.support import recorded
from interop.tests.support.trace import Run
from tests.support.server import RedisServer


def main() -> None:
    runs: dict[str, Run] = {}
    with RedisServer() as server, JavaPeer(recorded.RELEASE) as peer:
        with peer.client(server.url) as client:
            for call in (*test_counters.CASES, *test_bits.CASES):
                runs[f"{call.kind} {call.id}"] = call.in_java(client, server)
            for kind in test_locks_recorded.KINDS:
                runs[kind] = test_locks_recorded.in_java(client, server, kind)
        with peer.client(server.url, codec="String") as client:
            for call in test_keys.CASES:
                runs[f"{call.kind} {call.id}"] = call.in_java(client, server)
            for kind, cases in test_collections.TABLES.items():
                for case in cases:
                    run = test_collections.in_java(client, server, kind, case)
                    runs[f"{kind} {case.id}"] = run
    recorded.save(runs)


if __name__ == "__main__":
    main()
