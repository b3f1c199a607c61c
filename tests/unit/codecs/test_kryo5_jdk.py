"""Kryo5Codec's table of JDK classes."""

from __future__ import annotations

from pyredisson.codecs.kryo5.jdk import ROWS
from pyredisson.codecs.kryo5.registry import Registry
from pyredisson.codecs.kryo5.releases import LAYOUTS, Release
from pyredisson.java.jdk import CONTAINERS
from pyredisson.java.views import QUEUES, SUB_LIST, VIEWS
from tests.support.rows import each_row


def test_every_container_has_a_row() -> None:
    assert {*CONTAINERS, *VIEWS, *QUEUES, SUB_LIST} <= ROWS.keys()


def test_the_registered_classes_are_numbered_without_a_gap() -> None:
    assert sorted(row.byte for row in ROWS.values() if row.byte) == [*range(2, 11)]


@each_row("name", ROWS)
def test_a_row_makes_the_serializer_of_its_class(name: str) -> None:
    row = ROWS[name]
    for first, _ in LAYOUTS:
        registry = Registry(None, Release(first))
        made = row.made(name, registry)
        assert made.class_name == name
        assert type(registry.by_name(name)) is type(made)
    assert row.known is None or row.known(name, registry).class_name == name


def test_changed_class_has_a_former_serializer() -> None:
    changed = {name for name, row in ROWS.items() if row.before}
    assert {name for name, row in ROWS.items() if row.since != "3.19.0"} == changed
    assert {"java.util.UUID", "java.util.Vector"} < changed


def test_a_subclass_is_read_no_earlier_than_its_class() -> None:
    for row in ROWS.values():
        if row.subclasses != "3.19.0":
            assert Release(row.subclasses).has(row.since)
