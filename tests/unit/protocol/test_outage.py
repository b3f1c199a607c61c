"""Outages: told of failures and successes, they say which are news."""

from pyredisson.protocol.outage import Outages


def test_only_the_first_failure_and_the_end_are_news() -> None:
    outages = Outages()
    assert outages.ended("a", 1.0) is None
    assert not outages
    assert outages.begins("a", 2.0)
    assert not outages.begins("a", 3.0)
    assert outages
    assert outages.ended("a", 7.5) == 5.5
    assert not outages
    assert outages.ended("a", 8.0) is None
    assert outages.begins("a", 9.0)


def test_each_place_has_its_own() -> None:
    outages = Outages()
    assert outages.begins("a", 1.0)
    assert outages.begins(None, 2.0)
    assert outages.ended("a", 3.0) == 2.0
    assert not outages.begins(None, 4.0)
