"""Offers orders that are due soon, and shows what RQ's worker does with them."""

import os

from bridging import BRIDGE, demo

if __name__ == "__main__":
    demo(["rq.cli", "worker", "--url", os.environ["PYREDISSON_URL"], "shop"], BRIDGE)
