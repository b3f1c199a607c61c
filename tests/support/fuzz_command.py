"""`scripts/fuzz`: runs the fuzzer of the decoders for a given time."""

from __future__ import annotations

import sys

from tests.support.fuzz_targets import targets
from tests.support.fuzzing import main

sys.exit(main(sys.argv[1:], targets()))
