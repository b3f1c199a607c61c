"""Offers orders that are due soon, and shows what taskiq's worker does with them."""

import sys

from bridging import demo

if __name__ == "__main__":
    demo(["taskiq", "worker", "tasks:broker", "--workers", "1"], [sys.executable, "bridge.py"])
