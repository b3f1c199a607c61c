"""Settings, with the server, the codec and the workers of pyredisson."""

import os

SECRET_KEY = "only for this example"
INSTALLED_APPS = ["pyredisson.integrations.django", "shop"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("SHOP_DATABASE", "shop.sqlite3"),
        "OPTIONS": {"timeout": 30},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = True

PYREDISSON = {
    "URL": os.environ["PYREDISSON_URL"],
    "CODEC": "long",
    "WORKERS": {"unpaid": {"handler": "shop.tasks.cancel_unpaid", "concurrency": 4}},
}
