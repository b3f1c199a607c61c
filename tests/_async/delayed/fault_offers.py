"""What a careful program does with an offer that failed: the receipt decides."""

from redis.exceptions import RedisError

from pyredisson import AsyncDelayedQueue, Receipt, UncertainOfferError
from tests.support.twins import sleep_async


async def surely(delayed: AsyncDelayedQueue[str], value: str, delay: float) -> int:
    """Offer until the item is stored, once; how often that was uncertain on the way."""
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
        except (RedisError, OSError):  # of this try nothing was done
            await sleep_async(0.01)
        else:
            return uncertain
