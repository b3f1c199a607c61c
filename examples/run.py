"""Runs an example beside a server; `examples/run` makes its environment."""

from __future__ import annotations

import os
import runpy
import sys
from contextlib import ExitStack
from pathlib import Path

from pyredisson.embedded import EmbeddedServer

HERE = Path(__file__).parent


def main(words: list[str]) -> None:
    """Run `demo.py` of one example, with the server's URL in $PYREDISSON_URL."""
    names = sorted(path.parent.name for path in HERE.glob("*/demo.py"))
    if len(words) != 1 or words[0] not in names:
        sys.exit(f"usage: examples/run NAME (one of {', '.join(names)})")
    home = HERE / words[0]
    os.chdir(home)
    sys.path[:1] = [str(home), str(HERE)]
    with ExitStack() as stack:
        if "PYREDISSON_URL" not in os.environ:
            os.environ["PYREDISSON_URL"] = stack.enter_context(EmbeddedServer()).url
        runpy.run_path("demo.py", run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
