"""The handlers of the queues."""

from tests.integrations.django_shop.models import Order


def cancel_unpaid(number: str) -> None:
    Order.objects.filter(number=number, state="unpaid").update(state="cancelled")


async def remind(number: str) -> None:
    await Order.objects.filter(number=number).aupdate(state="reminded")
