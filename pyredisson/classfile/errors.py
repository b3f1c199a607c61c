"""`ClassFileError`: a file is not a valid class file."""

from __future__ import annotations

from pyredisson.errors import RedissonError

__all__ = ["ClassFileError"]


class ClassFileError(RedissonError, ValueError):
    """The bytes are not a valid class file or jar; the message names the file and the reason."""
