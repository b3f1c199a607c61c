"""Run the releases at each boundary that the codecs' `release=` names, and print what changed.

For each codec, the release before a boundary and the one at it encode the values of the vectors.
Each value whose bytes differ is printed under the pair. A boundary is confirmed if only what its
flag names differs, and a flag names each value that differs. `python -m
interop.vectors.check_releases [codec ...]` needs `mvn`, a JDK 17 and Maven Central.

The rule: neighbours are published releases that Maven can resolve. 4.4.x and 4.5.x were never
published there, and the parent of 3.24.0 is missing.
"""

from __future__ import annotations

import sys
from functools import cache

from interop.vectors import jvm, record_json_vectors, record_vectors
from interop.vectors.migration_runs import LZ4
from interop.vectors.record_migration_vectors import TEXTS, ask
from interop.vectors.record_vectors import number

PAIRS = {
    "Kryo5Codec": (
        ("3.19.0", "3.19.1"),
        ("3.20.1", "3.21.0"),
        ("3.34.1", "3.35.0"),
        ("3.35.0", "3.36.0"),
        ("3.37.0", "3.38.0"),
        ("3.45.1", "3.46.0"),
        ("3.52.0", "4.0.0"),
        ("4.0.0", "4.1.0"),
        ("4.6.1", "4.7.0"),
    ),
    "LZ4CodecV2": (("3.24.1", "3.24.3"), ("3.24.3", "3.25.0"), ("3.25.0", "3.27.2")),
    "Jackson": (
        ("3.11.5", "3.11.6"),
        ("3.21.0", "3.21.1"),
        ("3.21.3", "3.22.0"),
        ("3.50.0", "3.51.0"),
        ("3.52.0", "4.0.0"),
        ("4.0.0", "4.1.0"),
        ("4.1.0", "4.2.0"),
        ("4.3.0", "4.3.1"),
        ("4.3.1", "4.6.1"),
        ("4.6.1", "4.7.0"),
    ),
}
JACKSON = {  # what the releases' own project files name
    "3.11.5": "2.9.10",
    "3.11.6": "2.10.1",
    "3.21.0": "2.14.2",
    "3.21.1": "2.15.0",
    "3.21.3": "2.15.0",
    "3.22.0": "2.15.2",
    "3.50.0": "2.18.2",
    "3.51.0": "2.19.1",
    "3.52.0": "2.20.0",
    "4.0.0": "2.20.0",
    "4.1.0": "2.20.0",
    "4.2.0": "2.20.0",
    "4.3.0": "2.20.0",
    "4.3.1": "2.21.2",
}
Written = dict[str, str]


@cache
def written(codec: str, release: str) -> Written:
    """Return the bytes in hex by codec and Java expression."""
    if codec == "Kryo5Codec":
        if number(release) >= (4, 0, 0):
            jvm.JACKSON[release] = JACKSON.get(release, record_json_vectors.NEWEST)
        rows = record_vectors.record(codec, release)
        return {f"{row.get('options', '')} {row['java']}": row["hex"] for row in rows}
    if codec == "LZ4CodecV2":
        return {TEXTS[place][1]: data for place, data in ask((codec, release, LZ4), TEXTS)}
    table = record_json_vectors.rows()
    record_json_vectors.JACKSON[release] = JACKSON.get(release, record_json_vectors.NEWEST)
    names = [*record_json_vectors.JSON, *record_json_vectors.BINARY]
    if number(release) >= (4, 1, 0):
        names += record_json_vectors.THREE
    if number(release) >= (4, 2, 0):
        names += record_json_vectors.BINARY3
    record_json_vectors.CODECS[release] = tuple(names)
    record_json_vectors.ION.setdefault(release, JACKSON.get(release, "2.21.2"))
    found = record_json_vectors.record(release, table)
    return {
        f"{name} {table[place][0]}": data
        for name, rows_ in found.items()
        for place, (_, data, _read) in rows_.items()
    }


def main(chosen: list[str]) -> None:
    """Print what differs between the releases of each pair."""
    for codec in chosen or PAIRS:
        for before, after in PAIRS[codec]:
            old, new = written(codec, before), written(codec, after)
            both = old.keys() & new.keys()
            changed = [each for each in old if each in both and old[each] != new[each]]
            print(f"{codec} {before} -> {after}: {len(changed)} of {len(both)} differ", flush=True)
            for each in changed:
                print(f"    {each}")


if __name__ == "__main__":
    main(sys.argv[1:])
