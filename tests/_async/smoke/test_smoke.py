"""Every feature once on emulated servers of vendors: it works, or its error says what to do.

PYREDISSON_PROFILES= names the profiles ("no TIME,splits"), or is "all". By default it is the few
profiles that together have the most differences.
"""

from __future__ import annotations

from functools import partial

import pytest

from pyredisson import AsyncRedisson
from tests._async.smoke.run import smoke_async
from tests._async.smoke.steps import STEPS
from tests.support.gateway import emulated
from tests.support.profiles import Profile, selected
from tests.support.smoking import surprises


@pytest.mark.timeout(600)
@pytest.mark.parametrize("profile", selected(), ids=lambda profile: profile.name)
async def test_steps_end_as_profile_says(profile: Profile) -> None:
    """The steps that the profile names fail with its words, and all other steps succeed."""
    with emulated(profile) as gateway:
        make = partial(AsyncRedisson.from_url, gateway.url, **profile.options)
        results = await smoke_async(make, gateway.url, STEPS, rest=profile.rest)
    assert surprises(results, profile.refused) == []
    assert set(profile.refused) <= set(STEPS)
