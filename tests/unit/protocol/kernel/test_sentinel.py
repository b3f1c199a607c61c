"""Replies of Sentinels, and which Sentinels are out of date."""

from pyredisson.protocol.kernel.sentinel import Sighting, Sightings

OLD, NEW = ("10.0.0.1", 6379), ("10.0.0.2", 6380)
STATE = [b"name", b"mymaster", b"config-epoch", b"7", b"num-other-sentinels", b"2", b"flags", b""]


def test_the_replies_are_read() -> None:
    assert Sighting.parse(STATE, [b"10.0.0.2", b"6380"]) == Sighting(NEW, 7, 2)


def test_a_sentinel_that_shows_no_state_names_an_address_all_the_same() -> None:
    assert Sighting.parse([], [b"10.0.0.1", b"6379"]) == Sighting(OLD, 0, None)


def test_sentinel_with_an_older_epoch_is_not_believed() -> None:
    sightings = Sightings()
    assert sightings.believes(0, Sighting(OLD, 1))
    assert sightings.believes(1, Sighting(NEW, 2))
    assert not sightings.believes(0, Sighting(OLD, 1))
    assert sightings.believes(0, Sighting(NEW, 2))


def test_epoch_of_a_silent_sentinel_is_forgotten() -> None:
    sightings = Sightings()
    assert sightings.believes(1, Sighting(NEW, 2))
    sightings.forget(1)
    sightings.forget(1)
    assert sightings.believes(0, Sighting(OLD, 1))


def test_restarted_epochs_are_believed_once_all_restarted() -> None:
    sightings = Sightings()
    assert sightings.believes(0, Sighting(OLD, 5))
    assert sightings.believes(1, Sighting(OLD, 5))
    assert not sightings.believes(0, Sighting(NEW, 0))
    assert sightings.believes(1, Sighting(NEW, 0))
    assert sightings.believes(0, Sighting(NEW, 0))
