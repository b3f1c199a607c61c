"""Record what Redisson's JSON codecs write with an `ObjectMapper` of the service's own.

The values are those of `vectors/mappers.txt`, the mappers those of `vectors/recorder/Mappers.java`
and `Mappers3.java`; a row says with `options` how the Python codec is made. What Java refuses
is left out. Run it as `python -m interop.vectors.record_mapper_vectors [release ...]`.
"""

from __future__ import annotations

import sys
from typing import Any

from interop.vectors.record_json_vectors import (
    CODECS,
    HERE,
    JACKSON,
    JSON,
    NEWEST,
    THREE,
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
MAPPERS3: dict[str, dict[str, Any]] = {
    "plain": {},
    "arrays": {"java_time": "arrays"},
    "non null": {"inclusion": "non_null"},
    **{name.upper() + "_CASE": {"naming": f"{name}_case"} for name in NAMINGS},
}


def rows() -> list[Value]:
    """Return the values."""
    lines = (HERE / "mappers.txt").read_text("utf-8").splitlines()
    cells = [line.split(" ;; ") for line in lines if not line.startswith("#")]
    return [Value(java, python, *(left or [python])) for java, python, *left in cells]


def main(releases: list[str]) -> None:
    """Record each release into one file per codec."""
    table = rows()
    for release in releases or RELEASES:
        version = JACKSON.get(release, NEWEST)
        module = ("com.fasterxml.jackson.datatype", "jackson-datatype-jsr310", version)
        three = THREE if THREE[0] in CODECS[release] else ()
        made = dict.fromkeys(JSON, MAPPERS) | dict.fromkeys(three, MAPPERS3)
        names = [f"{codec}+{mapper}" for codec in made for mapper in made[codec]]
        tools = [
            HERE / "recorder" / f"{each}.java" for each in ("Mappers", *["Mappers3"] * bool(three))
        ]
        recorded = record(release, table, names, [module], tools)
        for codec, mappers in made.items():
            untyped = {"typing": False} if codec == THREE[0] else {}
            found = [
                row_of(release, codec, type_, table[number], data)
                | {"options": {**untyped, **options}}
                for mapper, options in mappers.items()
                for number, (type_, data, _) in sorted(recorded[f"{codec}+{mapper}"].items())
            ]
            write(VECTORS / f"Mapper{codec}-{release}.json", found)
            print(f"{codec} {release}: {len(found)} of {len(table) * len(mappers)} values")


if __name__ == "__main__":
    main(sys.argv[1:])
