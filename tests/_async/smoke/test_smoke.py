"""Every feature once on servers as vendors have them: it works, or says what to do.

PYREDISSON_PROFILES= names the profiles ("no TIME,splits"), or is "all"; by default it is those that
together have most.
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
async def test_profile(profile: Profile) -> None:
    """All steps end as the profile says: those that it names with these words, others well."""
    with emulated(profile) as gateway:
        make = partial(AsyncRedisson.from_url, gateway.url, **profile.options)
        results = await smoke_async(make, gateway.url, STEPS, rest=profile.rest)
    assert surprises(results, profile.refused) == []
    assert set(profile.refused) <= set(STEPS)
