"""FastAPI: a client and a worker for the life of an application."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx2")

import redis
from fastapi import Depends, FastAPI, WebSocket
from fastapi.testclient import TestClient

from pyredisson import AsyncRedisson, AsyncWorker, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.errors import KeyTypeError
from pyredisson.integrations.fastapi import get_redisson, livez, readyz, redisson_lifespan
from tests.support.ports import free_port
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE, until

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fastapi"
Client = Annotated[AsyncRedisson, Depends(get_redisson)]


@pytest.fixture
def make_app(url: str) -> Callable[..., tuple[FastAPI, list[str]]]:
    """Make an application whose workers note what they handle."""

    def make(*queues: str) -> tuple[FastAPI, list[str]]:
        seen: list[str] = []

        async def handle(order: str) -> None:
            seen.append(order)

        def worker_of(queue: str) -> Callable[[AsyncRedisson], AsyncWorker]:
            return lambda redisson: AsyncWorker(redisson, redisson.get_queue(queue), handle)

        app = FastAPI(
            lifespan=redisson_lifespan(
                lambda: AsyncRedisson.from_url(url, codec=StringCodec()), *map(worker_of, queues)
            )
        )
        app.add_route("/livez", livez)
        app.add_route("/readyz", readyz)

        @app.post("/{queue}/{order}")
        async def offer(queue: str, order: str, redisson: Client) -> bool:
            delayed = redisson.get_delayed_queue(redisson.get_queue(queue))
            return bool(await delayed.offer(order, delay=0.05))

        @app.websocket("/size/{queue}")
        async def size(socket: WebSocket, queue: str, redisson: Client) -> None:
            await socket.accept()
            await socket.send_json(await redisson.get_queue(queue).size())
            await socket.close()

        return app, seen

    return make


@pytest.fixture
def terminated() -> Iterator[list[int]]:
    """The SIGTERMs of this process."""
    found: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: found.append(number))
    yield found
    signal.signal(signal.SIGTERM, before)


def test_requests_offer_and_workers_handle(make_app: Any, raw: redis.Redis) -> None:
    app, seen = make_app("a", "b")
    with TestClient(app) as client:
        assert [client.post(f"/{path}").json() for path in ("a/1", "b/2", "c/3")] == [True] * 3
        until(lambda: sorted(seen) == ["1", "2"], "both workers handle")
        until(lambda: raw.llen("c") == 1, "it is transferred")
        with client.websocket_connect("/size/c") as socket:
            assert socket.receive_json() == 1
        assert client.get("/livez").json() == client.get("/readyz").json() == {"status": "ok"}
    assert not raw.exists("pyredisson_leases:{a}")


def test_a_worker_that_has_ended_is_not_live_and_ends_the_process(
    make_app: Any, raw: redis.Redis, terminated: list[int]
) -> None:
    app, _ = make_app("a", "wrong")
    raw.set("wrong", "text")

    def watch() -> None:
        with TestClient(app) as client:
            until(lambda: client.get("/livez").status_code == 503, "the failure is reported")
            assert "'wrong'" in client.get("/livez").json()["reason"]
            until(lambda: terminated == [signal.SIGTERM], "the server is asked to end")

    with pytest.raises(KeyTypeError, match="wrong"):
        watch()


def test_probes_of_an_outage_and_of_a_task_that_has_ended(
    own_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [AsyncRedisson.from_url(own_server.url)]
    app = FastAPI(lifespan=redisson_lifespan(made.pop))
    app.add_route("/livez", livez)
    app.add_route("/readyz", readyz)
    client = made[0]
    with TestClient(app) as probes:

        @app.post("/")
        async def open_queue() -> None:
            client.get_delayed_queue(client.get_queue("q"))

        probes.post("/")
        until(lambda: probes.get("/readyz").status_code == 200, "it is ready")
        own_server.kill()
        until(lambda: probes.get("/readyz").status_code == 503, "it is not ready")
        assert probes.get("/readyz").json()["reason"] == "Redis does not answer"
        assert probes.get("/livez").json() == {"status": "ok"}
        monkeypatch.setattr(client._context.background, "has", lambda _worker: False)
        until(lambda: probes.get("/livez").status_code == 503, "it has ended")
        assert probes.get("/livez").json()["reason"] == "the transfer of 'q' has ended"


def test_without_the_lifespan_the_error_says_what_to_do(make_app: Any) -> None:
    app, _ = make_app("a")
    with pytest.raises(RuntimeError, match=r"lifespan=redisson_lifespan.*with TestClient\(app\)"):
        TestClient(app).post("/a/1")


def test_sigterm_at_the_example_finishes_and_loses_nothing(url: str) -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "demo.py"],
        cwd=EXAMPLE,
        env={**os.environ, "PYREDISSON_URL": url, "PORT": str(port), "SECONDS_TO_PAY": "0.1"},
        stderr=subprocess.PIPE,
        text=True,
    )
    import httpx2

    with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:

        def serves() -> bool:
            try:
                return client.get("/livez").status_code == 200
            except httpx2.ConnectError:
                assert process.poll() is None
                return False

        until(serves, "it serves")
        assert client.post("/orders/0").json() == "unpaid"
        until(lambda: client.get("/orders/0").json() == "cancelled", "it is cancelled")
        assert client.post("/orders/0/payment").status_code == 409
        with Redisson.from_url(url, codec=StringCodec()) as redisson:
            queue = redisson.get_queue("unpaid")
            redisson.get_delayed_queue(queue, transfer=False).offer("late", delay=3600)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=PATIENCE)
            assert "Application shutdown complete" in errors
            assert "Traceback" not in errors
            assert redisson.get_delayed_queue(queue, transfer=False).size() == 1
