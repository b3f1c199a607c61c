"""`ClassFileError`: names the file that is not a valid class file, and the reason."""

from __future__ import annotations

from pyredisson.errors import RedissonError

__all__ = ["ClassFileError"]


class ClassFileError(RedissonError, ValueError):
    """The bytes are not a valid class file or jar; the message names the file."""
