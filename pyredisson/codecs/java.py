"""Another name of `pyredisson.java`, for modules that name it so."""

from pyredisson.java import *  # noqa: F403 - another name of all of it
