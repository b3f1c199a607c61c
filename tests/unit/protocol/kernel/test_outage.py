"""Outages: which failures and successes are reported."""

from pyredisson.protocol.kernel.outage import Outages


def test_only_the_first_failure_and_the_end_are_reported() -> None:
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


def test_each_place_has_its_own_outage() -> None:
    outages = Outages()
    assert outages.begins("a", 1.0)
    assert outages.begins(None, 2.0)
    assert outages.ended("a", 3.0) == 2.0
    assert not outages.begins(None, 4.0)


def test_outage_without_a_failure_for_long_is_over() -> None:
    outages = Outages(lapse=10.0)
    assert outages.begins("a", 0.0)
    assert not outages.begins("a", 9.0)
    assert not outages.begins("a", 18.0)
    assert outages.begins("a", 29.0)
    assert outages.ended("a", 31.0) == 2.0
    assert outages.begins("a", 40.0)
    assert outages.ended("a", 51.0) is None
    assert not outages


def test_the_time_of_one_place_is_not_that_of_another() -> None:
    outages = Outages(lapse=10.0)
    outages.begins("a", 0.0)
    outages.begins("b", 5.0)
    outages.forget(10.5)
    assert outages
    assert outages.ended("a", 10.5) is None
    assert outages.ended("b", 10.5) == 5.5
    outages.begins("b", 11.0)
    outages.forget(30.0)
    assert not outages


def test_of_too_many_places_the_oldest_are_forgotten() -> None:
    outages = Outages(most=4)
    assert all(outages.begins(place, 1.0) for place in range(5))
    assert [outages.ended(place, 2.0) for place in range(5)] == [None, None, 1.0, 1.0, 1.0]


def test_whether_the_last_failure_is_later() -> None:
    outages = Outages()
    assert not outages.failed_since("a", 1.0)
    outages.begins("a", 2.0)
    outages.begins("a", 3.0)
    assert outages.failed_since("a", 2.5)
    assert not outages.failed_since("a", 3.0)
    assert not outages.failed_since("b", 2.5)
