"""Record the codecs that are made for a class of values: Protobuf's and Avro's.

The tables `vectors/protobuf.txt` and `vectors/avro.txt` have a line for each value: Java
type, Java expression, Python value; a line "@" has the class of the following ones in Java
and Python, and for Avro the schema and whether it is for Jackson 2 or 3 alone. Each value
becomes a row of `tests/vectors/{codec}-{release}.json`. Run it as
`python -m interop.vectors.record_typed_vectors [codec ...]`.

The rule: the bytes come from Java alone. A value that the Java codec refuses is left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from interop.vectors import jvm
from interop.vectors.record_vectors import TEMPLATE, VECTORS
from tests.unit.codecs.avro_schemas import SCHEMAS

PROTOSTUFF = [("io.protostuff", f"protostuff-{name}", "1.8.0") for name in ("core", "runtime")]
JACKSON2, JACKSON3 = "com.fasterxml.jackson", "tools.jackson"
# The versions that the release's project file names, or the nearest that was published.
LIBRARIES: dict[str, list[jvm.Artifact]] = {
    "3.19.3": [(f"{JACKSON2}.dataformat", "jackson-dataformat-avro", "2.14.1")],
    "3.23.4": [*PROTOSTUFF, ("com.google.protobuf", "protobuf-java", "3.16.3")],
    "4.2.0": [
        (f"{JACKSON2}.core", "jackson-databind", "2.20.1"),
        (f"{JACKSON3}.core", "jackson-databind", "3.0.3"),
        (f"{JACKSON3}.dataformat", "jackson-dataformat-avro", "3.0.3"),
    ],
    "4.7.0": [
        *PROTOSTUFF,
        ("com.google.protobuf", "protobuf-java", "4.35.1"),
        (f"{JACKSON2}.dataformat", "jackson-dataformat-avro", "2.21.2"),
        (f"{JACKSON3}.core", "jackson-databind", "3.1.3"),
        (f"{JACKSON3}.dataformat", "jackson-dataformat-avro", "3.1.2"),
    ],
}
COLUMNS = ("type", "java", "python", "of", "class", "schema", "jackson")
KEPT = ("type", "java", "python", "class", "schema")
RUNS = (
    ("ProtobufCodec", "protobuf.txt", ("3.23.4", "4.7.0")),
    ("AvroJacksonCodec", "avro.txt", ("3.19.3", "4.7.0")),
    ("AvroJackson3Codec", "avro.txt", ("4.2.0", "4.7.0")),
)
PACKAGES = {
    "ProtobufCodec": ("com.google.protobuf",),
    "AvroJacksonCodec": (f"{JACKSON2}.dataformat.avro", "org.apache.avro"),
    "AvroJackson3Codec": (f"{JACKSON3}.dataformat.avro", "org.apache.avro"),
}


def table(name: str) -> list[dict[str, str]]:
    """Return the rows: type, Java, Python, the codec's class in both languages, its schema."""
    rows, made = [], [""]
    for line in (jvm.HERE / name).read_text("utf-8").splitlines():
        cells = [each.strip() for each in line.removeprefix("@").split(" ;; ")]
        if line.startswith("@"):
            made = cells
        elif line and not line.startswith("#"):
            rows.append(dict(zip(COLUMNS, [*cells, *made], strict=False)))
    return rows


def codec_of(row: dict[str, str], codec: str) -> str:
    """Return the codec in Java."""
    if "schema" not in row:
        return f"new {codec}({row['of']}.class)"
    schema = json.dumps(json.dumps(SCHEMAS[row["schema"]]))
    return f"new {codec}({row['of']}.class, new AvroSchema(new Schema.Parser().parse({schema})))"


def source(rows: list[dict[str, str]], codec: str) -> str:
    """Return the recorder's Java."""
    adds = [
        f"    static void add{i}() {{ add(() -> {row['java']}, () -> {codec_of(row, codec)}); }}"
        for i, row in enumerate(rows)
    ]
    imports = "".join(f"import {each}.*;\n" for each in PACKAGES[codec])
    calls = "\n".join(f"        add{i}();" for i in range(len(rows)))
    text = imports + TEMPLATE.read_text("utf-8").replace("/*ADDS*/", "\n".join(adds))
    return text.replace("/*CALLS*/", calls)


def record(codec: str, name: str, release: str) -> list[dict[str, str]]:
    """Return the rows of one file."""
    jackson = "3" if "Jackson3" in codec else "2"
    rows = [row for row in table(name) if row.get("jackson", jackson) == jackson]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "Recorder.java"
        program.write_text(source(rows, codec), "utf-8")
        jars = jvm.class_path(release, LIBRARIES[release])
        path = jvm.compile_java(jars, [program])
        command = jvm.java(path, "Recorder", options=jvm.OPENS)
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = []
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            place, _, data = line[1:].partition(" ")
            row = rows[int(place)]
            kept = {key: row[key] for key in KEPT if key in row}
            found.append({"release": release, "codec": codec, "hex": data} | kept)
    print(f"{codec} {release}: {len(found)} of {len(rows)} values")
    return found


def main(chosen: list[str]) -> None:
    """Record all codecs, or those that are named."""
    for codec, name, releases in RUNS:
        for release in releases if not chosen or codec in chosen else ():
            rows = record(codec, name, release)
            text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
            (VECTORS / f"{codec}-{release}.json").write_text(f"[\n{text}\n]\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
