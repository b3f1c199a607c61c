"""pyredisson for Django: `INSTALLED_APPS = [..., "pyredisson.integrations.django"]`.

The settings are in `PYREDISSON`; see docs/django.md.

* `configuration`: reads the settings.
* `client`: the process's client, and offers when a transaction commits.
* `workers`: handlers beside Django's database connections.
* `apps`: the application and its system check.
* `management/`: `manage.py pyredisson`.
"""

from __future__ import annotations

try:
    from pyredisson.integrations.django.client import get_redisson, offer_on_commit
except ImportError as error:
    raise ImportError(
        "pyredisson.integrations.django needs Django: pip install django "
        "(pyredisson's extra 'django')"
    ) from error

__all__ = ["get_redisson", "offer_on_commit"]
