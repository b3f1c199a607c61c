"""Runs the command line: ``python -m pyredisson``."""

import sys

from pyredisson.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
