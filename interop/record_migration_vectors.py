"""Record the codecs of older defaults and the compressed ones, one file per codec and release.

Like `record_vectors.py`, but each codec runs in the releases that have it, with the
libraries that its release was built with. `python -m interop.record_migration_vectors`
records; with `check` as its argument it hands what the Python codecs write to the real Java
codecs instead, and lists what does not come back as an equal value.

The rule: the bytes come from Java alone; nothing here computes them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from interop.build import OPTIONS

HERE = Path(__file__).parent
VECTORS = HERE.parent / "tests" / "vectors"

# Codec, release, and what it needs beside Redisson, as the release's project file names it.
OBJECT_RUNS = (
    ("SerializationCodec", "4.7.0", ()),
    ("SerializationCodec", "3.27.2", ()),
    ("MarshallingCodec", "3.18.1", ()),
    ("MarshallingCodec", "3.13.6", ()),
    ("FstCodec", "3.12.5", ()),
    ("FstCodec", "3.10.7", ()),
    ("KryoCodec", "3.10.7", (("com.esotericsoftware", "kryo", "4.0.2"),)),
)
LZ4 = (("org.lz4", "lz4-java", "1.8.0"), ("org.apache.commons", "commons-compress", "1.21"))
NEW_LZ4 = (
    ("at.yawk.lz4", "lz4-java", "1.11.1"),
    ("org.apache.commons", "commons-compress", "1.26.1"),
)
SNAPPY = (("org.xerial.snappy", "snappy-java", "1.1.10.5"),)
ZSTD = (("com.github.luben", "zstd-jni", "1.5.6-3"),)
KRYO = (("com.esotericsoftware", "kryo", "5.0.0-RC4"),)
OLD_LZ4 = (("net.jpountz.lz4", "lz4", "1.3.0"),)
TEXT_RUNS = (
    ("LZ4Codec", "4.7.0", NEW_LZ4),
    ("LZ4Codec", "3.12.5", (*KRYO, *OLD_LZ4)),
    ("LZ4Codec", "3.5.5", OLD_LZ4),
    ("LZ4Codec", "3.5.1", OLD_LZ4),
    ("LZ4CodecV2", "4.7.0", NEW_LZ4),
    ("LZ4CodecV2", "3.24.3", LZ4),
    ("SnappyCodec", "3.27.2", ()),
    ("SnappyCodec", "3.12.5", KRYO),
    ("SnappyCodec", "3.5.5", ()),
    ("SnappyCodec", "3.5.1", SNAPPY),
    ("SnappyCodecV2", "4.7.0", SNAPPY),
    ("SnappyCodecV2", "3.12.5", (*KRYO, *SNAPPY)),
    ("ZStdCodec", "4.7.0", ZSTD),
    ("ZStdCodec", "3.52.0", ZSTD),
)
TEXTS = (
    ("String", '""', "''"),
    ("String", '"hello"', "'hello'"),
    ("String", '"é😀"', "'é😀'"),
    ("String", '"x".repeat(1000)', "'x' * 1000"),
    ("String", '"abc".repeat(12000)', "'abc' * 12000"),
    ("String", '"abcdefgh0123".repeat(10000)', "'abcdefgh0123' * 10000"),
)

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>vectors</groupId><artifactId>vectors</artifactId><version>1</version>
  <dependencies>{0}</dependencies>
</project>
"""
DEPENDENCY = (
    "<dependency><groupId>{0}</groupId><artifactId>{1}</artifactId>"
    "<version>{2}</version></dependency>"
)
JAVA = """\
import io.netty.buffer.*;
import java.math.*;
import java.util.*;
import java.util.concurrent.Callable;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.StringCodec;

@SuppressWarnings({"unchecked", "rawtypes"})
public class Recorder {
    static ArrayList<Object> list(Object... values) {
        return new ArrayList<>(Arrays.asList(values));
    }

    static ArrayList<Object> twice(Object value) {
        return list(value, value);
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

    static <M extends Map> M fill(M map, Object... entries) {
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

    static com.example.Dog friends(String one, String other) {
        com.example.Dog dog = new com.example.Dog(one);
        dog.friend = new com.example.Dog(other);
        dog.any = dog.friend;
        return dog;
    }

    static final List<Callable<Object>> VALUES = new ArrayList<>();

    static Codec codec(String name, boolean around) throws Exception {
        Class<?> type = Class.forName("org.redisson.codec." + name);
        return (Codec) (around
                ? type.getConstructor(Codec.class).newInstance(new StringCodec())
                : type.getConstructor().newInstance());
    }

    public static void main(String[] args) throws Exception {
        %s
        String name = args[0];
        boolean around = Boolean.parseBoolean(args[1]);
        if (args.length == 2) {
            for (int i = 0; i < VALUES.size(); i++) {
                try {
                    Object value = VALUES.get(i).call();
                    Object told = codec(name, around).getValueEncoder().encode(value);
                    ByteBuf bytes = told instanceof byte[] // up to 3.5.1
                            ? Unpooled.wrappedBuffer((byte[]) told) : (ByteBuf) told;
                    System.out.println("@" + i + " " + ByteBufUtil.hexDump(bytes));
                } catch (Throwable e) {
                    System.err.println(name + " refuses value " + i + ": " + e);
                }
            }
            System.exit(0);
        }
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[2]))) {
            String[] words = line.split(" ", -1);
            Object wanted = VALUES.get(Integer.parseInt(words[0])).call();
            String found;
            try {
                ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(words[1]));
                Object value = codec(name, around).getValueDecoder().decode(bytes, null);
                boolean same = Objects.deepEquals(wanted, value)
                        && (wanted == null || wanted.getClass() == value.getClass());
                found = same ? "same" : value + " of " + (value == null ? null : value.getClass());
            } catch (Throwable e) {
                found = e.toString();
            }
            System.out.println("@" + words[0] + " " + found.replace('\\n', ' '));
        }
        System.exit(0);
    }
}
"""

Run = tuple[str, str, tuple[tuple[str, str, str], ...]]


def values() -> list[list[str]]:
    """Read the table: type, Java expression, Python value."""
    lines = (HERE / "vectors" / "migration_values.txt").read_text("utf-8").splitlines()
    return [
        [cell.strip() for cell in line.split(" ;; ")]
        for line in lines
        if line and not line.startswith("#")
    ]


def class_path(run: Run, folder: Path) -> str:
    """Resolve the release and its libraries with Maven, at first without the network."""
    wanted = [("org.redisson", "redisson", run[1]), *run[2]]
    text = POM.format("".join(DEPENDENCY.format(*each) for each in wanted))
    (folder / "pom.xml").write_text(text)
    target = folder / "class-path"
    command = ["mvn", "-q", "-B", "dependency:build-classpath", f"-Dmdep.outputFile={target}"]
    if subprocess.run([*command, "-o"], cwd=folder, check=False, capture_output=True).returncode:
        subprocess.run(command, cwd=folder, check=True)
    return target.read_text().strip()


def ask(run: Run, rows: Iterable[Iterable[str]], *words: str) -> Iterator[tuple[int, str]]:
    """Run the program with one codec; what it says of each row by number."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = class_path(run, folder)
        sources = [str(each) for each in (HERE / "vectors" / "migration").rglob("*.java")]
        subprocess.run(["javac", "-encoding", "UTF-8", "-d", name, *sources], check=True)
        adds = "\n".join(f"        VALUES.add(() -> {list(row)[1]});" for row in rows)
        (folder / "Recorder.java").write_text(JAVA % adds, "utf-8")
        command = ["java", *OPTIONS, "-Dfile.encoding=UTF-8", "-cp", f"{path}:{name}"]
        around = str(run in TEXT_RUNS).lower()
        command += [str(folder / "Recorder.java"), run[0], around, *words]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            number, _, told = line[1:].partition(" ")
            yield int(number), told


def record(run: Run, rows: list[list[str]]) -> None:
    """Write one file of vectors; rows that it had keep their Python value."""
    file = VECTORS / f"{run[0]}-{run[1]}.json"
    old = json.loads(file.read_text("utf-8")) if file.exists() else []
    kept = {row["java"]: row["python"] for row in old}
    table = [
        {
            "release": run[1],
            "codec": run[0],
            "type": rows[number][0],
            "java": rows[number][1],
            "hex": data,
            "python": kept.get(rows[number][1], rows[number][2]),
        }
        for number, data in ask(run, rows)
    ]
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in table)
    file.write_text(f"[\n{text}\n]\n", "utf-8")
    print(f"{run[0]} {run[1]}: {len(table)} of {len(rows)} values")


def check(run: Run, rows: list[list[str]], codec: Any, names: dict[str, Any]) -> None:
    """Let Java decode what Python encodes."""
    lines = {}
    for number, row in enumerate(rows):
        try:
            lines[number] = codec.encode(eval(row[2], dict(names))).hex()
        except Exception as error:
            print(f"{run[0]} {run[1]} does not write {row[1]}: {str(error)[:100]}")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(f"{number} {data}" for number, data in lines.items()))
        file.flush()
        told = dict(ask(run, rows, file.name))
    wrong = {number: text for number, text in told.items() if text != "same"}
    for number, text in wrong.items():
        print(f"{run[0]} {run[1]}: {rows[number][1]} came back as {text[:200]}")
    print(f"{run[0]} {run[1]}: {len(told) - len(wrong)} of {len(lines)} read by Java as equal")


def main(words: list[str]) -> None:
    """Record, or with `check` compare; further words choose codecs."""
    checking = words[:1] == ["check"]
    chosen = words[1:] if checking else words
    for run in (*OBJECT_RUNS, *TEXT_RUNS):
        if chosen and run[0] not in chosen and f"{run[0]}-{run[1]}" not in chosen:
            continue
        rows = [list(each) for each in TEXTS] if run in TEXT_RUNS else values()
        if checking:
            from tests.unit.codecs.test_migration_vectors import CODECS, NAMES

            codec = CODECS.get(f"{run[0]}-{run[1]}") or CODECS[run[0]]
            check(run, rows, codec, NAMES)
        else:
            record(run, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
