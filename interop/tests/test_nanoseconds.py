"""Java's times have nanoseconds: Python keeps them, and each side removes them by value."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from interop.peer import Java, JavaClient
from interop.tests.test_eras import schemas
from pyredisson import Redisson
from pyredisson.codecs import Kryo5Codec
from pyredisson.java import JDuration, JInstant, JLocalDateTime, JOffsetDateTime, JTime

CLASS = "com.example.Appointment"
LOCAL = "2024-01-02T03:04:05.123456789"


def parsed(name: str, text: str) -> Java:
    return Java("parsed", text, f"java.time.{name}")


def in_java() -> Java:
    """Return the task with fixed times."""
    fields = {
        "id": "A1",
        "made": parsed("LocalDateTime", "2024-01-02T03:04:05"),
        "instant": parsed("Instant", "2024-01-02T03:04:05.000000001Z"),
        "local": parsed("LocalDateTime", LOCAL),
        "time": parsed("LocalTime", "03:04:05.123456789"),
        "offset": parsed("OffsetDateTime", f"{LOCAL}+02:00"),
        "offsetTime": parsed("OffsetTime", "03:04:05.000000001Z"),
        "duration": parsed("Duration", "PT1.000000001S"),
        "reminders": Java("list", [parsed("LocalDateTime", LOCAL)]),
    }
    return Java("pojo", fields, CLASS)


def in_python(kind: Any) -> Any:
    """Return the same task."""
    return kind(
        id="A1",
        made=datetime(2024, 1, 2, 3, 4, 5),
        instant=JInstant(2024, 1, 2, 3, 4, 5, tzinfo=UTC, nanosecond=1),
        local=JLocalDateTime.fromisoformat(LOCAL),
        time=JTime(3, 4, 5, nanosecond=123456789),
        offset=JOffsetDateTime.fromisoformat(f"{LOCAL}+02:00"),
        offsetTime=JTime(3, 4, 5, tzinfo=UTC, nanosecond=1),
        duration=timedelta(seconds=1) + JDuration(nanoseconds=1),
        reminders=[JLocalDateTime(2024, 1, 2, 3, 4, 5, nanosecond=123456789)],
    )


@pytest.mark.parametrize("release", ["4.7.0", "3.27.2"])
def test_each_side_removes_the_others_tasks(
    release: str,
    java_client: Callable[..., JavaClient],
    url: str,
    tmp_path: Path,
) -> None:
    module = schemas(release, tmp_path, CLASS)
    java = java_client(release)
    delayed = java.delayed_queue("times", codec="Kryo5")
    codec = Kryo5Codec(schemas=module, release=release)
    with Redisson.from_url(url, codec=codec, wire_format=release) as redisson:
        queue = redisson.get_blocking_queue("times")
        ours = redisson.get_delayed_queue(queue)
        ours.offer(in_python(module.Appointment), delay=3600)
        assert delayed.call("contains", in_java()) is True
        assert delayed.call("remove", in_java()) is True
        delayed.call("offer", in_java(), 3600, "SECONDS")
        assert ours.read_all() == [in_python(module.Appointment)]
        assert ours.remove(in_python(module.Appointment)) is True
        # The value of LocalDateTime.now(), whichever digits the clock has.
        delayed.call("offer", Java("pojo", {"id": "now"}, CLASS), 3600, "SECONDS")
        (found,) = ours.read_all()
        assert type(found.made) is JLocalDateTime
        assert found.made.nanosecond // 1000 == found.made.microsecond
        assert ours.remove(found) is True
        assert delayed.call("readAll") == []
