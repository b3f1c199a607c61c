"""Valid and invalid hooks."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.errors import DecodeError
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.worker.hooks import Hooks, require_hooks


def test_hooks_of_the_base_class_do_nothing() -> None:
    hooks = Hooks()
    assert require_hooks(hooks) is hooks
    assert require_hooks(None) is None
    facts: dict[str, tuple[Any, ...]] = {
        "on_open": (None,),
        "on_close": (None,),
        "on_queue": (None, "q"),
        "on_handle": ("q", []),
        "on_handled": ("q", [], 1.0, None),
        "on_settle": ("q", None, "acked"),
        "on_wake": ("q", "safety"),
        "on_outage": ("q",),
        "on_offer": ("q", Receipt("q", 5, bytes(8), b"v")),
        "on_cancel": ("q", Receipt("q", 5, bytes(8), b"v")),
        "on_reschedule": ("q", Receipt("q", 5, bytes(8), b"v")),
        "on_transfer": ("q", 1),
        "on_deliver": ("q", None),
        "on_ack": ("q", None),
        "on_retry": ("q", None, ValueError(), 1.0),
        "on_dead_letter": ("q", None, "why", None),
        "on_drop": ("q", None, None),
        "on_lease_end": ("q", None),
        "on_undecodable": ("q", DecodeError("why", codec="c", data=b"v")),
        "on_expire": ("q", None),
    }
    assert set(facts) == {name for name in vars(Hooks) if name.startswith("on_")}
    assert hooks.offering("q", 1) is None
    for name, told in facts.items():
        assert getattr(hooks, name)(*told) is None


@pytest.mark.parametrize(("wrong", "said"), [(print, "subclass of Hooks"), (Hooks, "subclass")])
def test_invalid_hooks_are_rejected(wrong: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        require_hooks(wrong)
