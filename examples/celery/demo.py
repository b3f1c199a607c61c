"""Offers orders that are due soon, and shows what Celery's worker does with them."""

from bridging import BRIDGE, demo

if __name__ == "__main__":
    demo(["celery", "-A", "tasks", "worker", "--pool", "solo", "--loglevel", "WARNING"], BRIDGE)
