"""Record what the released Jackson codecs write: `tests/vectors/{codec}-{release}.json`.

The values are those of `vectors/values.txt` and the objects of `vectors/json_shapes.txt`, of the
classes in `vectors/java`. Each row has release, codec, Java type and expression, the bytes in hex
and the Python value. Where JSON loses a part of the value, it has the rest (`json`). It has `read`
if the same Java codec reads another class from the bytes, or fails (`!` and the exception). Needed
are `mvn` and a JDK 17. Run it as `python -m interop.vectors.record_json_vectors [release ...]`.

The rule: the bytes come from Java alone; nothing here computes them. A value that the Java codec
refuses is left out of that file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interop.vectors import jvm

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parents[1] / "tests" / "vectors"
CLASSES = HERE / "java" / "com" / "example"
# Optional in Redisson; the versions are those that its parent pom names.
JACKSON = {
    "3.10.7": "2.9.8",
    "3.12.5": "2.10.4",
    "3.19.3": "2.14.1",
    "3.27.2": "2.16.1",
    "4.1.0": "2.19.2",
    "4.3.1": "2.21.2",
}
NEWEST = "2.21.3"
JACKSON3 = {"4.1.0": "3.0.1", "4.7.0": "3.1.3"}
# Jackson 3 needs newer annotations than the Jackson 2 beside it brings.
ANNOTATIONS = {"4.1.0": "2.20"}
ION = {"4.7.0": "2.21.2"}  # the nearest that was published
ION3 = "3.1.4"
MESSAGE_PACK = {"3.19.3": "0.9.1"}
JSON = ("JsonJacksonCodec", "TypedJsonJacksonCodec")
BINARY = ("MsgPackJacksonCodec", "CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec")
THREE = ("JsonJackson3Codec", "TypedJsonJackson3Codec")
BINARY3 = ("CborJackson3Codec", "SmileJackson3Codec", "IonJackson3Codec")
CODECS = {
    "3.10.7": JSON,
    "3.12.5": JSON,
    "3.19.3": (*JSON, *BINARY),
    "3.27.2": (*JSON, "SmileJacksonCodec"),
    "4.1.0": (*JSON, "SmileJacksonCodec", *THREE),
    "4.3.1": ("TypedJsonJacksonCodec",),
    "4.7.0": (*JSON, *BINARY, *THREE, *BINARY3),
}

JAVA = """\
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;
import java.util.concurrent.Callable;
import org.redisson.client.codec.Codec;

public class Recorder {
    static ArrayList<Object> list(Object... values) {
        return new ArrayList<>(Arrays.asList(values));
    }

    static Stack<Object> stack(Object... values) {
        Stack<Object> stack = new Stack<>();
        stack.addAll(Arrays.asList(values));
        return stack;
    }

    static HashSet<Object> set(Object... values) {
        HashSet<Object> set = new HashSet<>();
        for (Object value : values) {
            set.add(value);
        }
        return set;
    }

    static <M extends Map<Object, Object>> M fill(M map, Object... entries) {
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return map;
    }

    static HashMap<Object, Object> map(Object... entries) {
        return fill(new HashMap<>(), entries);
    }

    static LinkedHashMap<Object, Object> linked(Object... entries) {
        return fill(new LinkedHashMap<>(), entries);
    }

    static final List<Callable<Object>> VALUES = new ArrayList<>();

    public static void main(String[] args) throws Exception {
%s
        for (String name : args) {
            for (int i = 0; i < VALUES.size(); i++) {
                Codec codec = (Codec) Class.forName("org.redisson.codec." + name)
                        .getConstructor().newInstance();
                try {
                    ByteBuf bytes = codec.getValueEncoder().encode(VALUES.get(i).call());
                    String type = value == null ? "null" : value.getClass().getTypeName();
                    System.out.println(String.join("\t", "@" + name, "" + i, type,
                            ByteBufUtil.hexDump(bytes), readAgain(codec, bytes)));
                } catch (Throwable e) {
                    System.err.println(name + " refuses value " + i + ": " + e);
                }
            }
        }
        System.exit(0);
    }
}
"""
HELPERS = """
    static String readAgain(Codec codec, ByteBuf bytes) {
        try {
            Object read = codec.getValueDecoder().decode(bytes, null);
            return read == null ? "null" : read.getClass().getTypeName();
        } catch (Throwable e) {
            return "!" + e.getClass().getSimpleName();
        }
    }
    @SuppressWarnings("unchecked")
    static <T> T make(Class<T> type, Object... values) throws Exception {
        java.lang.reflect.Constructor<T> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        T made = constructor.newInstance();
        for (int i = 0; i < values.length; i += 2) {
            Class<?> owner = type;
            while (true) {
                try {
                    java.lang.reflect.Field field = owner.getDeclaredField((String) values[i]);
                    field.setAccessible(true);
                    field.set(made, values[i + 1]);
                    break;
                } catch (NoSuchFieldException e) {
                    owner = owner.getSuperclass();
                }
            }
        }
        return made;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static <T extends List> T list_of(Object... values) {
        return (T) new ArrayList<>(Arrays.asList(values));
    }

    static Codec codec(String told, Object value) throws Exception {
        List<String> options = new ArrayList<>(Arrays.asList(told.split("[+]")));
        String name = options.remove(0);
        Class<?> type = Class.forName("org.redisson.codec." + name);
        Class<?> of = value == null ? Object.class : value.getClass();
        if (!options.isEmpty()) {
            boolean three = name.endsWith("3Codec");
            if (options.equals(List.of("everything"))) {
                return (Codec) Class.forName(three ? "Typings3" : "Typings")
                        .getMethod("codec", String.class).invoke(null, name);
            }
            Object mapper = Class.forName(three ? "Mappers3" : "Mappers")
                    .getMethod("mapper", List.class).invoke(null, options);
            Class<?> kind = Class.forName(
                    (three ? "tools" : "com.fasterxml") + ".jackson.databind.ObjectMapper");
            return !name.startsWith("Typed")
                    ? (Codec) type.getConstructor(kind).newInstance(mapper)
                    : (Codec) type.getConstructor(Class.class, kind).newInstance(of, mapper);
        }
        if (!name.startsWith("Typed")) {
            return (Codec) type.getConstructor().newInstance();
        }
        return (Codec) type.getConstructor(Class.class).newInstance(of);
    }
"""


class Value(NamedTuple):
    """A row of the tables; `python` is "-" where only the bytes are compared."""

    java: str
    python: str
    json: str


def row_of(
    release: str, codec: str, type_: str, value: Value, data: str, read: str = ""
) -> dict[str, Any]:
    """Return a row of a file; `read` is what the same codec reads, if it names classes."""
    row = {"release": release, "codec": codec, "type": type_, "java": value.java}
    row |= {"hex": data, "python": value.python}
    if value.json not in {"-", value.python}:
        row["json"] = value.json
    if read not in {"", type_} and codec not in BINARY3 and not codec.startswith("Typed"):
        row["read"] = read
    return row


def rows() -> list[Value]:
    """Return the values of both tables."""
    found = []
    for line in (HERE / "values.txt").read_text("utf-8").splitlines():
        if line and line[0] not in "#@":
            _, java, python, *json_ = map(str.strip, line.split(" ;; "))
            found.append(Value(java, python, *(json_ or [python])))
    for line in (HERE / "json_shapes.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            java, python, *json_ = line.split(" ;; ")
            found.append(Value(java, python, *(json_ or [python])))
    return found


def artifacts(release: str) -> list[tuple[str, str, str]]:
    """Return the release and the libraries of its Jackson codecs."""
    version = JACKSON.get(release, NEWEST)
    format2 = "com.fasterxml.jackson.dataformat"
    wanted = [
        ("org.redisson", "redisson", release),
        ("com.fasterxml.jackson.core", "jackson-databind", version),
        *((format2, f"jackson-dataformat-{name}", version) for name in ("cbor", "smile")),
        (format2, "jackson-dataformat-ion", ION.get(release, version)),
        ("org.msgpack", "jackson-dataformat-msgpack", MESSAGE_PACK.get(release, "0.9.11")),
    ]
    version3 = JACKSON3.get(release)
    if version3 is not None:
        wanted.append(("tools.jackson.core", "jackson-databind", version3))
    if release in ANNOTATIONS:
        wanted.append(("com.fasterxml.jackson.core", "jackson-annotations", ANNOTATIONS[release]))
    if BINARY3[0] in CODECS.get(release, ()):
        for name, number in (("cbor", version3), ("smile", version3), ("ion", ION3)):
            wanted.append(("tools.jackson.dataformat", f"jackson-dataformat-{name}", str(number)))
    return wanted


def source(table: list[Value]) -> str:
    """Return the recorder's Java."""
    adds = "\n".join(f"        VALUES.add(() -> {row.java});" for row in table)
    packages = ("com.example", "java.time", "java.util.concurrent", "java.util.concurrent.atomic")
    head = "".join(f"import {each}.*;\n" for each in packages)
    text = head + JAVA % adds
    start = text.index("                Codec codec = (Codec)")
    end = text.index("                try {", start)
    text = text[:start] + text[end:]
    text = text.replace(
        "ByteBuf bytes = codec.getValueEncoder().encode(VALUES.get(i).call());",
        "Object value = VALUES.get(i).call();\n"
        "                    Codec codec = codec(name, value);\n"
        "                    ByteBuf bytes = codec.getValueEncoder().encode(value);",
    )
    place = text.index("    static final List<Callable<Object>> VALUES")
    return text[:place] + HELPERS.lstrip("\n") + "\n" + text[place:]


def record(
    release: str,
    table: list[Value],
    codecs: Sequence[str] = (),
    more: Sequence[tuple[str, str, str]] = (),
    sources: Sequence[Path] = (),
) -> dict[str, dict[int, tuple[str, str, str]]]:
    """Return Java's type, the bytes in hex and what Java reads from them, by codec and row number.

    A codec is a name, or with what it is made `JsonJacksonCodec+iso`, which `sources` know;
    without any, all of the release.
    """
    codecs = codecs or CODECS[release]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = jvm.class_path(release, [*artifacts(release), *more])
        (folder / "Recorder.java").write_text(source(table), "utf-8")
        files = [folder / "Recorder.java", *sources, *sorted(CLASSES.glob("*.java"))]
        compiling = ["javac", "-nowarn", "-encoding", "UTF-8", "-cp", path, "-d", str(folder)]
        subprocess.run([*compiling, *map(str, files)], check=True)
        running = ["java", "-Dfile.encoding=UTF-8", "-cp", f"{folder}:{path}", "Recorder"]
        done = subprocess.run([*running, *codecs], check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, dict[int, tuple[str, str, str]]] = {codec: {} for codec in codecs}
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            codec, number, type_, data, read = line[1:].split("\t")
            found[codec][int(number)] = type_, data, read
    return found


def write(path: Path, found: list[dict[str, Any]]) -> None:
    """Write a file, a row a line."""
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    path.write_text(f"[\n{text}\n]\n", "utf-8")


def main(releases: list[str]) -> None:
    """Record each release into one file per codec."""
    table = rows()
    VECTORS.mkdir(exist_ok=True)
    for release in releases or CODECS:
        for codec, found in record(release, table).items():
            rows_ = []
            for number, (type_, data, read) in sorted(found.items()):
                rows_.append(row_of(release, codec, type_, table[number], data, read))
            write(VECTORS / f"Shapes{codec}-{release}.json", rows_)
            print(f"{codec} {release}: {len(rows_)} of {len(table)} values")


if __name__ == "__main__":
    main(sys.argv[1:])
