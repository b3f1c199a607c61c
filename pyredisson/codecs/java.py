"""An alias of `pyredisson.java`."""

from pyredisson.java import *  # noqa: F403 - another name of all of it
