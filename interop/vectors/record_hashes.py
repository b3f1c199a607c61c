"""Record Redisson's hashes of bytes: `tests/vectors/hashes.json`, for `kernel/highway_hash`.

Run it as `python -m interop.vectors.record_hashes`; needed are `mvn` and a JDK 17. The oldest and
the newest release must write the same.
"""

from __future__ import annotations

import subprocess

from interop.vectors.jvm import HERE, class_path

TARGET = HERE.parents[1] / "tests" / "vectors" / "hashes.json"


def main() -> None:
    texts = set()
    for release in ("3.19.3", "4.7.0"):
        command = ["java", "-cp", class_path(release), str(HERE / "recorder" / "Hashes.java")]
        texts.add(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    (text,) = texts
    TARGET.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
