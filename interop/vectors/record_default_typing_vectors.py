"""Record what Redisson's JSON codecs write with the default typing EVERYTHING.

A service gets it if its codec overrides `initTypeInclusion`, as in `vectors/recorder/Typings.java`
and `Typings3.java`. The values are those of `record_json_vectors`. What Java refuses is left out.
Run it as `python -m interop.vectors.record_default_typing_vectors [release ...]`.
"""

from __future__ import annotations

import sys

from interop.vectors.record_json_vectors import (
    BINARY,
    CODECS,
    HERE,
    JSON,
    THREE,
    VECTORS,
    record,
    row_of,
    rows,
    write,
)

RELEASES = {
    "3.19.3": (JSON[0], *BINARY),
    "3.27.2": (JSON[0],),
    "4.7.0": (JSON[0], *BINARY, THREE[0]),
}


def main(releases: list[str]) -> None:
    """Record each release into one file per codec."""
    table = rows()
    for release in releases or RELEASES:
        three = THREE[0] in CODECS[release]
        tools = [HERE / "recorder" / f"{each}.java" for each in ("Typings", *["Typings3"] * three)]
        names = [f"{codec}+everything" for codec in RELEASES[release]]
        recorded = record(release, table, names, sources=tools)
        for codec in RELEASES[release]:
            found = [
                row_of(release, codec, type_, table[number], data, read)
                for number, (type_, data, read) in sorted(recorded[f"{codec}+everything"].items())
            ]
            write(VECTORS / f"Everything{codec}-{release}.json", found)
            print(f"{codec} {release}: {len(found)} of {len(table)} values")


if __name__ == "__main__":
    main(sys.argv[1:])
