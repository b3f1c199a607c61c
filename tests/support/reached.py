"""What an object keeps alive: the texts that can be reached from it."""

import gc
import sys
import types
from typing import Any

_ELSEWHERE = (types.ModuleType, type, types.FrameType, types.CodeType)


def is_a(each: object, kinds: type | tuple[type, ...]) -> bool:
    """As `isinstance`, without a question to proxies that are not set up, such as Django's."""
    return issubclass(type(each), kinds)


def texts_of(start: Any, part: str) -> set[str]:
    """The texts with a part in them that an object leads to, by whatever way.

    Modules and classes are not looked into: what is there is nobody's own.
    """
    shared = {id(vars(each)) for each in list(sys.modules.values())}
    seen, found, ahead = {id(start)}, set[str](), [start]
    while ahead:
        one = ahead.pop()
        keys = list(one) if isinstance(one, dict) else []  # of texts alone, which lead nowhere
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
