"""Hands due orders over to dramatiq: `pyredisson worker bridge:hand_over ...`."""

from tasks import cancel_unpaid

from pyredisson.integrations.dramatiq import hand_over_to

hand_over = hand_over_to(cancel_unpaid)
