"""How a program repeats an offer that failed: with its receipt, the item is stored once."""

from redis.exceptions import RedisError

from pyredisson import AsyncDelayedQueue, Receipt, UncertainOfferError
from tests.support.twins import sleep_async


async def surely(delayed: AsyncDelayedQueue[str], value: str, delay: float) -> int:
    """Offer until the item is stored once; return how many attempts were uncertain."""
    receipt: Receipt | None = None
    uncertain = 0
    while True:
        try:
            if receipt is None:
                await delayed.offer(value, delay=delay)
            else:
                await delayed.offer_again(receipt)
        except UncertainOfferError as error:
            receipt = error.receipt
            uncertain += 1
        except (RedisError, OSError):  # this attempt stored nothing
            await sleep_async(0.01)
        else:
            return uncertain
