"""Creates two orders, pays one, and shows what the worker does with the other."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import django
from django.core.management import call_command


def demo() -> None:
    """Run the worker in a process of its own, as in production."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    from shop.models import Order
    from shop.tasks import SECONDS_TO_PAY, create_order

    worker = subprocess.Popen([sys.executable, "manage.py", "pyredisson", "worker"])
    try:
        first, second = create_order(), create_order()
        print(f"orders {first.pk} and {second.pk}: to pay within {SECONDS_TO_PAY} s", flush=True)
        Order.objects.filter(pk=first.pk, state="unpaid").update(state="paid")
        print(f"order {first.pk}: paid", flush=True)
        until = time.monotonic() + 30
        while Order.objects.filter(state="unpaid").exists() and time.monotonic() < until:
            time.sleep(0.2)
    finally:
        worker.terminate()
        worker.wait()
    for order in Order.objects.order_by("pk"):
        print(f"order {order.pk} is {order.state}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        os.environ["SHOP_DATABASE"] = str(Path(directory) / "shop.sqlite3")
        os.environ["DJANGO_SETTINGS_MODULE"] = "shop.settings"
        django.setup()
        demo()
