"""`scripts/fuzz`: the fuzzer of the decoders for as long as one likes."""

from __future__ import annotations

import sys

from tests.support.fuzz_targets import targets
from tests.support.fuzzing import main

sys.exit(main(sys.argv[1:], targets()))
