"""Django: the settings' client, offers on commit, workers, commands and the system check."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

pytest.importorskip("django")

import django
import redis
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import override_settings

from pyredisson import EncodeError
from tests.support.shell import Done
from tests.support.twins import PATIENCE, until

APP = "tests.integrations.django_shop"
WORKERS = {
    "unpaid": f"{APP}.tasks.cancel_unpaid",
    "remind": {"handler": f"{APP}.tasks.remind", "concurrency": 2},
}


@pytest.fixture(scope="module", autouse=True)
def shop(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Django with the application, and a database in a file, which threads share."""
    database = tmp_path_factory.mktemp("django") / "db.sqlite3"
    settings.configure(
        INSTALLED_APPS=["pyredisson.integrations.django", APP],
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": str(database),
                "OPTIONS": {"timeout": 30},
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        USE_TZ=True,
    )
    django.setup()
    from tests.integrations.django_shop.models import Order

    with connection.schema_editor() as editor:
        editor.create_model(Order)


@pytest.fixture
def configured(url: str) -> Iterator[dict[str, Any]]:
    """Settings for ``server``."""
    found = {"URL": url, "CODEC": "string", "WORKERS": WORKERS}
    with override_settings(PYREDISSON=found):
        yield found


def manage(*words: str) -> Done:
    """Run a command of `manage.py`."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ):
        try:
            call_command("pyredisson", *words)
        except SystemExit as end:
            return Done(int(end.code or 0), out.getvalue(), err.getvalue())
        except CommandError as error:
            return Done(error.returncode, out.getvalue(), f"{err.getvalue()}{error}\n")
    raise AssertionError("the command exits")


def delayed() -> Any:
    from pyredisson.integrations.django import get_redisson

    redisson = get_redisson()
    return redisson.get_delayed_queue(redisson.get_queue("unpaid"), transfer=False)


def test_an_offer_waits_for_the_commit(configured: object) -> None:
    from pyredisson.integrations.django import offer_on_commit

    with transaction.atomic():
        offer_on_commit(delayed(), "1", 60)
        assert delayed().size() == 0
    assert delayed().size() == 1

    with transaction.atomic():
        offer_on_commit(delayed(), "2", 60)
        transaction.set_rollback(True)
    offer_on_commit(delayed(), "3", 60)
    assert [item.value for item in delayed().items()] == ["1", "3"]


@pytest.mark.parametrize(
    ("value", "delay", "error"), [(object(), 60, EncodeError), ("1", -1, ValueError)]
)
def test_offer_that_fails_rolls_the_transaction_back(
    value: Any, delay: float, error: type[Exception], configured: object
) -> None:
    from pyredisson.integrations.django import offer_on_commit
    from tests.integrations.django_shop.models import Order

    def create() -> None:
        with transaction.atomic():
            Order.objects.create(number="rolled back")
            offer_on_commit(delayed(), value, delay)

    with pytest.raises(error):
        create()
    assert not Order.objects.filter(number="rolled back").exists()


def test_settings_have_one_client(configured: dict[str, Any]) -> None:
    from pyredisson.integrations.django import get_redisson

    first = get_redisson()
    assert get_redisson() is first
    with override_settings(PYREDISSON={**configured, "OPTIONS": {"max_bytes": 3}}):
        assert get_redisson() is not first
        with pytest.raises(EncodeError, match="more than max_bytes=3"):
            get_redisson().get_queue("q").add("four")


def test_workers_change_the_database(configured: dict[str, Any], raw: redis.Redis) -> None:
    """SIGTERM ends all of them, with exit code 0."""
    from tests.integrations.django_shop.models import Order

    for number in ("a", "b"):
        Order.objects.create(number=number)
    raw.rpush("unpaid", "a")
    raw.rpush("remind", "b")
    program = f"""
import sys
from django.conf import settings
settings.configure(INSTALLED_APPS={settings.INSTALLED_APPS!r}, DATABASES={settings.DATABASES!r},
                   DEFAULT_AUTO_FIELD={settings.DEFAULT_AUTO_FIELD!r}, PYREDISSON={configured!r})
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "pyredisson", "worker"])
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        stderr=subprocess.PIPE,
        text=True,
    )

    def states() -> list[str]:
        assert process.poll() is None
        return list(Order.objects.order_by("number").values_list("state", flat=True))

    until(lambda: states() == ["cancelled", "reminded"], "both workers work")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors


def test_commands_use_the_settings(configured: object) -> None:
    delayed().offer("7", 60)
    assert manage("items", "unpaid", "--json").json()["items"][0]["value"] == "7"
    assert {each["name"] for each in manage("stats", "--json").json()["queues"]} == {*WORKERS}
    done = manage("doctor")
    assert done.code == 1  # no process transfers
    assert all(name in done.out for name in WORKERS)
    assert "dev-server" in manage("help").out
    assert manage("worker", "nix") == Done(
        2, "", "PYREDISSON['WORKERS'] has no 'nix', only: unpaid, remind\n"
    )
    assert manage("nix").code == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, 'must be a dict with URL, such as {"URL": "redis://127.0.0.1:6379/0"}'),
        ({"url": "redis://x"}, "must be a dict with URL"),
        ({"URL": "redis://x", "Codec": "json"}, "has no 'Codec': use CODEC"),
        ({"URL": "redis://x", "CODEC": "nix"}, "no codec is called 'nix'"),
        ({"URL": "redis://x", "RELEASE": "nix"}, "nix"),
        ({"URL": "redis://x", "WORKERS": {"q": "nix.tasks.handle"}}, r"\['q'\]: No module named"),
        ({"URL": "redis://x", "WORKERS": {"q": {"concurrency": 2}}}, "must be a handler"),
    ],
)
def test_the_check_says_what_is_wrong(given: object, said: str) -> None:
    with override_settings(PYREDISSON=given):
        with pytest.raises(CommandError, match=said):
            call_command("check")
        assert manage("stats" if "q" not in said else "worker").code == 2


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("URL", "redis://:SECRETab/cd@x"),
        ("SENTINELS", ["redis://:SECRETab,cd@x"]),
        ("SENTINELS", "redis://:SECRETab?cd@x"),
    ],
)
def test_errors_show_no_part_of_a_password(key: str, wrong: object) -> None:
    with override_settings(PYREDISSON={"URL": "redis://x", key: wrong}):
        with pytest.raises(CommandError, match=f"PYREDISSON: {key}: .*%2F.*%23.*%3F.*%2C") as found:
            call_command("check")
        done = manage("stats")
    assert (done.code, done.out) == (2, "")
    assert "SECRET" not in f"{found.value}{done.err}"


def test_worker_command_needs_workers_in_the_settings(url: str) -> None:
    with override_settings(PYREDISSON={"URL": url}):
        done = manage("worker")
    assert done.code == 2
    assert "PYREDISSON['WORKERS'] is empty: name a handler for a queue" in done.err


def test_a_module_of_handlers_may_use_the_client_when_it_is_imported(url: str) -> None:
    with override_settings(PYREDISSON={"URL": url, "WORKERS": {"early": f"{APP}.early.handle"}}):
        call_command("check")
        from tests.integrations.django_shop.early import handle, queue

        handle("x")
        assert queue.size() == 1


def test_without_settings_nothing_connects() -> None:
    from pyredisson.integrations.django import get_redisson

    with pytest.raises(ImproperlyConfigured, match="PYREDISSON must be a dict"):
        get_redisson()
