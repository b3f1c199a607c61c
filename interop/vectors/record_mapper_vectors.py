"""Record what Redisson's JSON codecs write with an `ObjectMapper` of the service's own.

The values are those of `vectors/mappers.txt`, the mappers those of `vectors/recorder/Mappers.java`;
a row says with `options` how the Python codec is made. What Java refuses is left out. Run it
as `python -m interop.vectors.record_mapper_vectors [release ...]`.
"""

from __future__ import annotations

import sys
from typing import Any

from interop.vectors.record_json_vectors import (
    HERE,
    JACKSON,
    JSON,
    NEWEST,
    VECTORS,
    Value,
    record,
    row_of,
    write,
)

RELEASES = ("3.27.2", "4.7.0")
# What the recorder calls a mapper, and the options of the Python codec.
NAMINGS = ("lower_camel", "upper_camel", "snake", "upper_snake", "lower", "kebab", "lower_dot")
MAPPERS: dict[str, dict[str, Any]] = {
    "arrays": {"java_time": "arrays"},
    "arrays+no nanoseconds": {"java_time": "arrays", "nanoseconds": False},
    "arrays+iso durations": {"java_time": "arrays", "durations": "iso"},
    "iso": {"java_time": "iso"},
    "iso+iso durations": {"java_time": "iso", "durations": "iso"},
    "overridden": {},
    **{
        f"arrays+{name.upper()}_CASE": {"java_time": "arrays", "naming": f"{name}_case"}
        for name in NAMINGS
    },
}


def rows() -> list[Value]:
    """Return the values."""
    lines = (HERE / "mappers.txt").read_text("utf-8").splitlines()
    pairs = [line.split(" ;; ") for line in lines if not line.startswith("#")]
    return [Value(java, python, python) for java, python in pairs]


def main(releases: list[str]) -> None:
    """Record each release into one file per codec."""
    table = rows()
    names = [f"{codec}+{mapper}" for codec in JSON for mapper in MAPPERS]
    for release in releases or RELEASES:
        version = JACKSON.get(release, NEWEST)
        module = ("com.fasterxml.jackson.datatype", "jackson-datatype-jsr310", version)
        source = HERE / "recorder" / "Mappers.java"
        recorded = record(release, table, names, [module], [source])
        for codec in JSON:
            found = [
                row_of(release, codec, type_, table[number], data) | {"options": options}
                for mapper, options in MAPPERS.items()
                for number, (type_, data) in sorted(recorded[f"{codec}+{mapper}"].items())
            ]
            write(VECTORS / f"Mapper{codec}-{release}.json", found)
            print(f"{codec} {release}: {len(found)} of {len(table) * len(MAPPERS)} values")


if __name__ == "__main__":
    main(sys.argv[1:])
