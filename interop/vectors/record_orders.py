"""Record hash codes and the orders of maps from Java: `tests/vectors/orders/jdk-17.json`.

Run it as `python -m interop.vectors.record_orders`; needed is a JDK 17 alone.

The rule: all that is in the file comes from Java; nothing here computes an order.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "tests" / "vectors" / "orders" / "jdk-17.json"


def main() -> None:
    source = HERE / "recorder" / "Orders.java"
    opened = ["--add-opens=java.base/java.util=ALL-UNNAMED", "-Dfile.encoding=UTF-8"]
    opened.append("--add-opens=java.base/java.util.concurrent=ALL-UNNAMED")
    command = ["java", *opened, str(source)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(done.stdout, "utf-8")
    print(f"{TARGET}: {done.stdout.count(chr(10)) - 2} rows")


if __name__ == "__main__":
    main()
