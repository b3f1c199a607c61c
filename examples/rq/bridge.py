"""Hands due orders over to RQ: `pyredisson worker bridge:hand_over ...`."""

from tasks import cancel_unpaid, queue

from pyredisson.integrations.rq import hand_over_to

hand_over = hand_over_to(queue, cancel_unpaid)
