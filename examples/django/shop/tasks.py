"""Offers a new order's time limit, and handles it."""

from django.db import transaction

from pyredisson.integrations.django import get_redisson, offer_on_commit
from shop.models import Order

SECONDS_TO_PAY = 3


def create_order() -> Order:
    """Create an order, and have it looked at when its time is over."""
    redisson = get_redisson()
    delayed = redisson.get_delayed_queue(redisson.get_queue("unpaid"), transfer=False)
    with transaction.atomic():
        order = Order.objects.create()
        offer_on_commit(delayed, order.pk, delay=SECONDS_TO_PAY)
    return order


def cancel_unpaid(pk: int) -> None:
    """Handle a due order; one statement looks at its state and changes it."""
    if Order.objects.filter(pk=pk, state="unpaid").update(state="cancelled"):
        print(f"order {pk}: not paid in time, cancelled", flush=True)
