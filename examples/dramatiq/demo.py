"""Offers orders that are due soon, and shows what dramatiq's worker does with them."""

from bridging import BRIDGE, demo

if __name__ == "__main__":
    demo(["dramatiq", "tasks", "--processes", "1", "--threads", "1"], BRIDGE)
