"""A service whose codec overrides `initTypeInclusion`: each side reads and removes the other's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from interop.peer import Java, JavaClient
from interop.tests.test_eras import schemas
from pyredisson import Redisson
from pyredisson.codecs import JsonJacksonCodec
from pyredisson.errors import EncodeError

CLASS = "com.example.Job"
KIND = f"{CLASS}$Kind"


def in_java() -> Java:
    """Return a task with final classes: an enum, a Byte, arrays, a constant with a body."""
    fields = {
        "name": "pay",
        "kind": Java("enum", [KIND, "INVOICE"]),
        "kinds": Java("list", [Java("enum", [KIND, "EMAIL"])]),
        "due": Java("date", 1_700_000_000_000),
        "total": Java("bigdecimal", "12.50"),
        "level": Java("byte", 7),
        "data": Java("bytes", b"ab"),
        "counts": Java("array:p:int", [1, 2]),
        "words": Java("array:java.lang.String", ["a", None]),
        "any": Java("int", 5),
    }
    return Java("pojo", fields, CLASS)


def in_python(module: Any) -> Any:
    """Return the same task."""
    return module.Job(
        name="pay",
        kind=module.JobKind.INVOICE,
        kinds=[module.JobKind.EMAIL],
        due=datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        total=Decimal("12.50"),
        level=7,
        data=b"ab",
        counts=[1, 2],
        words=["a", None],
        any=5,
    )


@pytest.mark.parametrize("release", ["4.7.0", "3.27.2"])
def test_each_side_removes_the_others_tasks(
    release: str, java_client: Callable[..., JavaClient], url: str, tmp_path: Path
) -> None:
    module = schemas(release, tmp_path, CLASS)
    delayed = java_client(release).delayed_queue(
        "named", codec="pyredisson.interop.EverythingCodec"
    )
    options: Any = {"schemas": module, "release": release}
    codec = JsonJacksonCodec(typing="everything", **options)
    task = in_python(module)
    with Redisson.from_url(url, codec=codec, wire_format=release) as redisson:
        ours = redisson.get_delayed_queue(redisson.get_blocking_queue("named"))
        ours.offer(task, delay=3600)
        assert delayed.call("contains", in_java()) is True
        assert delayed.call("remove", in_java()) is True
        delayed.call("offer", in_java(), 3600, "SECONDS")
        assert ours.read_all() == [task]
        other = redisson.get_delayed_queue(
            redisson.get_blocking_queue("named", codec=JsonJacksonCodec(**options))
        )
        (found,) = other.read_all()
        assert found == task
        with pytest.raises(EncodeError, match=r'named the class .* pass typing="everything"'):
            other.remove(found)
        assert ours.remove(task) is True
        assert delayed.call("readAll") == []
