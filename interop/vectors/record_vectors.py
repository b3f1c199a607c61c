"""Record what released Redisson codecs write: `tests/vectors/{codec}-{release}.json`.

Each value of the tables in `vectors/` becomes one row: release, codec, Java type,
Java expression, the bytes in hex as the Java codec wrote them, the Python value that
they stand for, and how the codec was made where that is not the default. The jars come
from Maven Central; needed are `mvn` and a JDK 17. Run it as
`python -m interop.vectors.record_vectors [--codec NAME] [release ...]`.

The rule: the bytes come from Java alone; nothing here computes them. A value that
the Java codec refuses is left out of that file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interop.vectors import jvm

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parents[1] / "tests" / "vectors"
TEMPLATE = HERE / "recorder" / "Recorder.java"
KRYO5 = ("3.19.0", "3.19.3", "3.21.1", "3.35.0", "3.36.0", "3.46.0", "4.7.0")


@dataclass(frozen=True)
class Recorded:
    """A codec: the tables of its values, the column of the Python value, its releases."""

    tables: tuple[str, ...]
    releases: tuple[str, ...]
    column: int = 2
    options: list[str] = field(default_factory=list)


CODECS = {
    "Kryo5Codec": Recorded(("values.txt", "kryo5.txt"), KRYO5, options=jvm.OPENS),
    "JsonJacksonCodec": Recorded(("values.txt",), ("3.19.3", "3.21.1", "4.7.0"), column=3),
}


@dataclass(frozen=True)
class Row:
    """One line of a table: type, Java expression, Python value, Python value after JSON."""

    cells: list[str]
    made: str

    def options(self) -> dict[str, Any]:
        """Return how the codec is made, as arguments for the test."""
        word, *names = self.made.split()
        if word == "allowed":
            return {"allowed_classes": names}
        return {"references": True} if word == "references" else {}

    def codec(self, name: str) -> str:
        """The Java expression of the codec."""
        word, *names = self.made.split()
        if word == "references":
            return f"new {name}(Collections.emptySet(), true)"
        if word == "allowed":
            listed = ", ".join(json.dumps(each) for each in names)
            return f"new {name}(new LinkedHashSet<>(List.of({listed})), false)"
        return f"new {name}()"


def values(tables: tuple[str, ...], release: str) -> list[Row]:
    """Read the tables, without the values that the release does not have."""
    rows, made = [], "plain"
    for table in tables:
        for line in (HERE / table).read_text("utf-8").splitlines():
            if line.startswith("@"):
                made = line[1:]
            elif line and not line.startswith("#"):
                cells = [cell.strip() for cell in line.split(" ;; ")]
                if made == "plain" or number(release) >= (3, 36, 0):
                    rows.append(Row(cells if len(cells) == 4 else [*cells, cells[2]], made))
    return rows


def number(release: str) -> tuple[int, ...]:
    """The release as numbers."""
    return tuple(map(int, release.split(".")))


def record(codec: str, release: str) -> list[dict[str, Any]]:
    """Return the rows of one file."""
    recorded = CODECS[codec]
    rows = values(recorded.tables, release)
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "Recorder.java"
        adds = "\n".join(
            f"    static void add{i}() {{ add(() -> {row.cells[1]}, () -> {row.codec(codec)}); }}"
            for i, row in enumerate(rows)
        )
        calls = "\n".join(f"        add{i}();" for i in range(len(rows)))
        source.write_text(
            TEMPLATE.read_text("utf-8").replace("/*ADDS*/", adds).replace("/*CALLS*/", calls),
            "utf-8",
        )
        path = jvm.compile_java(jvm.class_path(release), [source])
        command = jvm.java(path, "Recorder", options=recorded.options)
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = []
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            place, _, data = line[1:].partition(" ")
            row = rows[int(place)]
            entry: dict[str, Any] = {"release": release, "codec": codec}
            entry |= {"type": row.cells[0], "java": row.cells[1], "hex": data}
            entry["python"] = row.cells[recorded.column]
            found.append(entry | ({"options": row.options()} if row.options() else {}))
    print(f"{codec} {release}: {len(found)} of {len(rows)} values")
    return found


def main() -> None:
    """Record each codec and release into one file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--codec", choices=CODECS)
    parser.add_argument("releases", nargs="*")
    options = parser.parse_args()
    VECTORS.mkdir(exist_ok=True)
    for codec in [options.codec] if options.codec else CODECS:
        for release in options.releases or CODECS[codec].releases:
            rows = record(codec, release)
            text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
            (VECTORS / f"{codec}-{release}.json").write_text(f"[\n{text}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
