"""A handler whose module opens a queue when it is imported."""

from pyredisson.integrations.django import get_redisson

queue = get_redisson().get_queue("early")


def handle(value: object) -> None:
    queue.add(value)
