"""The one error of this package: which file is no class file, and what is wrong with it."""

from __future__ import annotations

from pyredisson.errors import RedissonError

__all__ = ["ClassFileError"]


class ClassFileError(RedissonError, ValueError):
    """The bytes are no class file or jar that can be read; the message names the file."""
