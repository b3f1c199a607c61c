"""`doctor` finds each kind of problem, and reports no problem in a queue that works."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import redis

from pyredisson import Redisson
from pyredisson.admin.doctor.diagnose import diagnose
from pyredisson.admin.doctor.needs import ROLES
from pyredisson.admin.doctor.patient import KINDS, Diagnosis
from pyredisson.codecs import JsonJacksonCodec, Kryo5Codec, StringCodec
from pyredisson.protocol.delayed.item_id import new_item_id
from tests.support.access import EVERYBODY, PAGE, pasted
from tests.support.access import ROLES as ROLES_OF_PAGE
from tests.support.dump import dump
from tests.support.gateway import emulated
from tests.support.profiles import PROFILES
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.state import pack, pack_old, server_ms
from tests.support.topology import RedisCluster
from tests.support.twins import PATIENCE, until

LIST, TIMES = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
DOCS = Path(__file__).resolve().parents[2] / "docs"
HOUR = 3_600_000.0


@pytest.fixture
def redisson(url: str) -> Iterator[Redisson]:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.fixture
def found(redisson: Redisson, raw: redis.Redis) -> Callable[..., list[Diagnosis]]:
    """Return a function that returns the findings of a kind and checks that no key has changed."""

    def find(kind: str, *, codec: Any = None, name: str = "q") -> list[Diagnosis]:
        before = dump(raw)
        all_of_them = diagnose(redisson, name, codec)
        assert dump(raw) == before
        return [each for each in all_of_them if each.kind == kind]

    return find


Find = Callable[..., list[Diagnosis]]


def pend(raw: Any, score: float, *entries: bytes) -> None:
    raw.rpush(LIST, *entries)
    raw.zadd(TIMES, dict.fromkeys(entries, score))


def only(findings: list[Diagnosis], severity: str, words: str, remedy: str | None) -> None:
    """Check that this is the only finding."""
    (one,) = findings
    assert (one.severity, one.remedy) == (severity, remedy)
    assert re.search(words, one.text), one.text


def test_each_kind_has_a_section_in_the_documentation() -> None:
    text = (DOCS / "troubleshooting.md").read_text("utf-8")
    assert tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)) == KINDS
    assert Diagnosis("ttl", "info", "").docs == "docs/troubleshooting.md#ttl"


@pytest.mark.parametrize("role", ROLES)
def test_roles_have_the_documented_permissions(role: str) -> None:
    line = re.search(rf"^ACL SETUSER {role} (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert line
    rules = {each for each in line[1].split() if each.startswith("+")} - EVERYBODY
    assert {f"+{each}" for each in ROLES[role][0]} == rules


def test_doctor_has_no_finding_for_a_queue_that_works(redisson: Redisson, url: str) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
    delayed.offer("later", delay=3600)
    until(lambda: redisson.transfer_stats()[0].subscribed, "the subscription")
    done = shell("doctor", "q", "--codec", "string", url=url)
    assert done.code == 0
    assert done.out.startswith("'q': nothing is wrong\n  looked at 1 pending (0 due), 0 ready")
    done = shell("doctor", "q", "--json", url=url)
    assert done.json() == {"queue": "q", "findings": []}
    assert done.err.count("  looked at ") == 9
    done = shell("doctor", "typo", "--json", url=url)
    assert (done.code, done.json()["findings"]) == (0, [])
    assert "'typo': no such queue: it has no key" in done.err
    assert "beside the queue 'q'" in shell("doctor", LIST, url=url).err


def test_exit_codes_and_documents(redisson: Redisson, url: str) -> None:
    redisson.get_queue("q").pause()
    done = shell("doctor", "q", "--json", url=url)
    assert done.code == 1
    (found,) = done.json()["findings"]
    assert found.keys() == {"kind", "severity", "text", "remedy", "docs"}
    assert (found["kind"], found["remedy"]) == ("paused", "pyredisson resume q")
    assert "warning: paused" in shell("doctor", "q", url=url).out
    assert shell("doctor", "q", "--url", "redis://127.0.0.1:1").code == 2


def test_doctor_finds_overdue_items_and_missing_transfer_tasks(found: Find, raw: Any) -> None:
    pend(raw, server_ms(raw) // 1 + HOUR, pack(b"later"))
    remedy = "pyredisson transfer q"
    only(found("no-transfer"), "warning", r"pending items \(1\)", remedy)
    pend(raw, server_ms(raw) // 1 - 20_000, pack(b"late"))
    only(found("overdue"), "error", "since 2[0-9] s; no transfer task", remedy)
    only(found("no-transfer"), "error", "nobody is subscribed", remedy)
    with raw.pubsub() as subscription:
        subscription.subscribe(CHANNEL)
        assert subscription.get_message(timeout=PATIENCE)
        assert found("overdue") == found("no-transfer") == []
        pend(raw, server_ms(raw) // 1 - 90_000, pack(b"stuck"))
        only(found("overdue"), "error", "do not move them fast enough, or fail", remedy)


def test_doctor_finds_poison_and_mixed_formats(
    found: Find, redisson: Redisson, raw: redis.Redis
) -> None:
    raw.rpush("pyredisson_poison:{q}", "junk")
    only(found("poison"), "warning", "in the poison list", "pyredisson poison q list")
    raw.delete("pyredisson_poison:{q}")
    pend(raw, server_ms(raw) // 1 + HOUR, b"junk", pack(b"new"), pack_old(b"old"))
    only(found("poison"), "error", "no Redisson writes", "pyredisson repair q")
    words = "up to 3.21.0 and of newer ones"
    only(found("mixed-formats"), "error", words, "pyredisson migrate q --to-release 4.7.0")


def test_doctor_finds_divergence_wrong_types_and_times_to_live(
    found: Find, raw: redis.Redis
) -> None:
    raw.rpush(LIST, pack(b"alone"))
    only(found("divergence"), "error", "never delivered", "pyredisson repair q")
    raw.expire(LIST, 1000)
    only(found("ttl"), "error", "time to live ends", "pyredisson repair q")
    raw.delete(LIST)
    raw.zadd(TIMES, {pack(b"alone"): server_ms(raw) // 1 + HOUR})
    only(found("divergence"), "warning", "timeout set only", "pyredisson repair q")
    raw.set("q", "1")
    only(found("wrong-type"), "error", "a string instead of a list", "RENAME q {q}.moved")


def test_a_long_queue_is_sampled(found: Find, raw: redis.Redis, redisson: Redisson) -> None:
    count, due = 5000, server_ms(raw) // 1 + HOUR
    pend(raw, due, *(pack(b"x", b"%08d" % each) for each in range(count)))
    assert diagnose(redisson, "q")[0].kind == "no-transfer"
    raw.rpush(LIST, *(pack_old(b"old", each) for each in range(3)))
    raw.zadd(TIMES, {pack_old(b"old", each): due for each in range(2)})
    only(
        found("mixed-formats"),
        "error",
        "found in a sample",
        "pyredisson migrate q --to-release 4.7.0",
    )
    only(found("divergence"), "error", "1 .found in a sample", "pyredisson repair q")
    raw.expire(LIST, 1000)
    assert found("ttl")


def test_doctor_finds_eviction_and_full_memory(own_server: RedisServer) -> None:
    with Redisson.from_url(own_server.url) as redisson, own_server.client() as raw:
        used = int(raw.info("memory")["used_memory"])
        raw.config_set("maxmemory", int(used * 1.07))
        findings = {each.kind: each for each in diagnose(redisson, "q")}
        assert findings.keys() == {"memory"}
        assert "then it rejects offers" in findings["memory"].text
        raw.config_set("maxmemory-policy", "allkeys-lru")
        findings = {each.kind: each for each in diagnose(redisson, "q")}
        assert findings["eviction"].remedy == "CONFIG SET maxmemory-policy noeviction"
        assert "deletes keys" in findings["memory"].text


def test_doctor_finds_a_growing_queue_without_consumers(
    found: Find, raw: redis.Redis, url: str
) -> None:
    raw.rpush("q", *range(1500))
    assert found("memory") == []
    end = Event()

    def offer() -> None:
        with redis.Redis.from_url(url) as other:
            while not end.wait(0.1):
                other.rpush("q", "x")

    thread = Thread(target=offer)
    thread.start()
    with Redisson.from_url(url) as redisson:
        memory = [each for each in diagnose(redisson, "q") if each.kind == "memory"]
    end.set()
    thread.join()
    only(memory, "warning", "nobody has taken the first one", None)


def test_doctor_finds_wrong_clocks(
    found: Find, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = server_ms(raw) // 1
    assert found("clock-skew") == []
    monkeypatch.setattr("pyredisson.admin.doctor.clocks.time", FastClock)
    only(found("clock-skew"), "warning", "60.0 s ahead of the server", "chronyc makestep")
    monkeypatch.undo()
    pend(raw, now + HOUR, pack(b"ours", new_item_id(int(now * 1000), b"12345678")))
    for number in range(3):  # a Java producer whose clock is an hour behind
        pend(raw, now + 10_000, pack(b"java", b"%08d" % number))
    assert found("clock-skew") == []
    for number in range(3, 6):
        pend(raw, now - HOUR, pack(b"java", b"%08d" % number))
    only(found("clock-skew"), "warning", "^3 items of Java were due up to 36", "chronyc makestep")
    raw.delete(LIST, TIMES)
    pend(raw, now + HOUR, pack(b"ours", new_item_id(int(now * 1000) + 10**8, b"12345678")))
    only(found("clock-skew"), "warning", "(100|[89][0-9])[.][0-9] s ahead of", "chronyc makestep")


class FastClock:
    """A machine whose clock is a minute ahead."""

    monotonic = staticmethod(time.monotonic)

    @staticmethod
    def time() -> float:
        return time.time() + 60


@pytest.mark.parametrize(
    ("score", "severity"),
    [(-5.0, "error"), (1e17, "error"), (1.5, "error"), (1.7e9, "warning"), (1.7e15, "warning")],
)
def test_doctor_finds_impossible_due_times(
    found: Find, raw: redis.Redis, score: float, severity: str
) -> None:
    pend(raw, score, pack(b"x"))
    remedy = f"pyredisson reschedule q --id {b'12345678'.hex()} --delay 0"
    only(found("clock-skew"), severity, "^1 due times are", remedy)


def test_doctor_finds_values_that_a_codec_cannot_decode(
    found: Find, redisson: Redisson, raw: redis.Redis
) -> None:
    redisson.get_queue("q", codec=JsonJacksonCodec()).add({"a": 1})
    assert found("codec") == found("codec", codec=JsonJacksonCodec()) == []
    remedy = "pyredisson items q --codec json"
    words = "Kryo5Codec cannot decode 1 of .* JsonJacksonCodec"
    only(found("codec", codec=Kryo5Codec()), "warning", words, remedy)
    raw.rpush("q", b"\xff\xfe\xfd")
    only(found("codec"), "warning", "no single codec", "pyredisson items q --state ready")


def test_doctor_finds_names_that_share_keys(found: Find, raw: redis.Redis) -> None:
    assert found("cross-slot") == []
    raw.rpush("q", "a")
    raw.rpush("{q}", "b")
    only(found("cross-slot"), "error", "two queues", "pyredisson migrate q --rename q-2")
    (one,) = found("cross-slot", name="a{b")
    assert (one.severity, one.remedy) == ("info", "pyredisson migrate 'a{b' --rename ab")


def test_doctor_in_a_cluster(cluster: RedisCluster) -> None:
    with cluster.client() as client:
        client.flushall(target_nodes="primaries")
    done = shell("doctor", "a{b", "--cluster", "--json", url=cluster.url)
    assert done.code == 1
    (found,) = done.json()["findings"]
    assert (found["kind"], found["severity"]) == ("cross-slot", "error")
    assert (
        shell("doctor", "orders", "--cluster", "--json", url=cluster.url).json()["findings"] == []
    )


def test_doctor_finds_stuck_consumers(found: Find, redisson: Redisson, raw: Any) -> None:
    queue = redisson.get_queue("q")
    queue.add("job")
    with redisson.get_consumer(queue, consumer_name="worker-1", lease=60) as consumer:
        for _ in range(3):
            message = consumer.poll(timeout=PATIENCE)
            assert message
            message.nack()
        assert found("stuck-consumer") == []
        message = consumer.poll(timeout=PATIENCE)
        assert message
        remedy = "pyredisson items q --state in-progress"
        only(found("stuck-consumer"), "warning", r"4th time.*worker-1 \(1\)", remedy)
        message.ack()
        queue.add("other")
        assert consumer.poll(timeout=PATIENCE)
        (lease,) = raw.zrange("pyredisson_leases:{q}", 0, -1)
        raw.zadd("pyredisson_leases:{q}", {lease: server_ms(raw) - 30_000})
        only(found("stuck-consumer"), "error", "ended up to 3[0-9] s", "pyredisson transfer q")
        raw.delete("pyredisson_leases:{q}")
        only(found("lost-leases"), "error", "never redelivered", "pyredisson repair q")


def test_doctor_finds_missing_permissions(server: RedisServer, raw: Any) -> None:
    for rules, words in (
        (("+@all", "-subscribe"), "lacks .subscribe .*needs"),
        (("+@all", "-zadd", "-rpush"), "lacks .rpush .zadd of what"),
        (("+@all", "-pubsub"), None),
        (("+@read", "+eval", "+evalsha", "+time"), "can neither offer nor transfer nor take"),
        (("+@all", "-eval", "-evalsha"), "may not ask all"),
    ):
        given = ("reset", "on", ">p", "~*", "&*", *rules)
        raw.execute_command("ACL", "SETUSER", "few", *given)
        try:
            done = shell("doctor", "q", "--json", url=f"redis://few:p@127.0.0.1:{server.port}")
        finally:
            raw.execute_command("ACL", "DELUSER", "few")
        texts = [each["text"] for each in done.json()["findings"] if each["kind"] == "acl"]
        assert bool(texts) is (words is not None), (rules, texts)
        assert words is None or any(re.search(words, each) for each in texts), texts


def test_a_rejected_check_names_the_missing_rules(server: RedisServer, raw: Any) -> None:
    """The queue's name contains the letters of ACL."""
    given = ("reset", "on", ">p", "~*", "&*", "+@all", "-pttl")
    raw.execute_command("ACL", "SETUSER", "few", *given)
    try:
        done = shell("doctor", "oracle", "--json", url=f"redis://few:p@127.0.0.1:{server.port}")
    finally:
        raw.execute_command("ACL", "DELUSER", "few")
    (found,) = [each for each in done.json()["findings"] if each["kind"] == "acl"]
    assert (found["severity"], found["remedy"]) == ("warning", "ACL SETUSER few +pttl")
    assert "may not ask all" in found["text"]


@pytest.mark.parametrize("role", ["producer", "worker", "sidecar", "viewer"])
def test_doctor_accepts_a_user_with_one_role(server: RedisServer, raw: Any, role: str) -> None:
    """The findings name the roles that the user can have; there is no warning."""
    (one,) = [each for each in ROLES_OF_PAGE if each.name == role]
    raw.execute_command("ACL", "SETUSER", "few", "reset", "on", ">p", *pasted(one))
    try:
        done = shell("doctor", "q", "--json", url=f"redis://few:p@127.0.0.1:{server.port}")
    finally:
        raw.execute_command("ACL", "DELUSER", "few")
    texts = [each["text"] for each in done.json()["findings"]]
    if role != "viewer":
        assert any(f"can be a {role}" in each or f"or a {role}" in each for each in texts), texts


@pytest.mark.parametrize(
    ("profile", "severity", "words"),
    [
        ("no SUBSCRIBE", "warning", "SUBSCRIBE: transfer tasks poll"),
        ("no PUBLISH", "warning", "PUBLISH"),
        ("no EVALSHA", "info", "EVALSHA"),
        ("no TIME", "warning", "could not be examined: .*TIME"),
        ("OCI Cache, sharded", "error", "EVAL: delayed queues"),
        ("Azure Managed Redis", "", ""),
    ],
)
def test_doctor_finds_restrictions_of_the_server(profile: str, severity: str, words: str) -> None:
    with emulated(PROFILES[profile]) as gateway, Redisson.from_url(gateway.url) as redisson:
        findings = diagnose(redisson, "q")
        assert {(each.kind, each.severity) for each in findings} == (
            {("restricted-server", severity)} if severity else set()
        )
        assert all(re.search(words, each.text) for each in findings), findings


@pytest.mark.parametrize("runs", [10])
def test_a_busy_queue_gives_no_finding(redisson: Redisson, raw: Any, runs: int) -> None:
    """All elements are equal, so that moved elements cannot be distinguished."""
    end, queue = Event(), redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(queue)

    def offer() -> None:
        while not end.is_set():
            delayed.offer("same", delay=0.05)

    def take() -> None:
        with redisson.get_consumer(queue, lease=30) as consumer:
            while not end.is_set():
                if message := consumer.poll(timeout=0.1):
                    message.ack()

    until(lambda: raw.pubsub_numsub(CHANNEL)[0][1] == 1, "it transfers")
    threads = [Thread(target=each) for each in (offer, offer, take, take)]
    for each in threads:
        each.start()
    try:
        for _ in range(runs):
            assert diagnose(redisson, "q", StringCodec()) == []
    finally:
        end.set()
        for each in threads:
            each.join()
