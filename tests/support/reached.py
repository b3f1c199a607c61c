"""Finds the texts that an object keeps alive."""

import gc
import sys
import types
from typing import Any

_ELSEWHERE = (types.ModuleType, type, types.FrameType, types.CodeType)


def is_a(each: object, kinds: type | tuple[type, ...]) -> bool:
    """Work as `isinstance`, without a call of proxies that are not set up, such as Django's."""
    return issubclass(type(each), kinds)


def texts_of(start: Any, part: str) -> set[str]:
    """Return the texts that contain a part and can be reached from an object.

    Modules and classes are not searched: no object owns their contents.
    """
    shared = {id(vars(each)) for each in list(sys.modules.values())}
    seen, found, ahead = {id(start)}, set[str](), [start]
    while ahead:
        one = ahead.pop()
        keys = (
            list(one) if isinstance(one, dict) else []
        )  # get_referents omits the keys of a dict of texts
        for each in (*gc.get_referents(one), *keys):
            text = each.decode("latin-1") if isinstance(each, bytes) else each
            if isinstance(text, str):
                if part in text:
                    found.add(text)
            elif id(each) not in seen and id(each) not in shared:
                seen.add(id(each))
                if not is_a(each, _ELSEWHERE):
                    ahead.append(each)
    return found
