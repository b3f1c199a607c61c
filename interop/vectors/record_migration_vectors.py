"""Record the codecs of older defaults and the compressed ones, one file per codec and release.

Like `record_vectors.py`, but each codec runs in the releases that have it, with the
libraries that its release was built with. `python -m interop.vectors.record_migration_vectors`
records; with `check` as its argument it hands what the Python codecs write to the real Java
codecs instead, and lists what does not come back as an equal value.

The rule: the bytes come from Java alone, and the Python value from the table or from
`vectors/tools/Teller.java`, which looks at the object, not at the bytes; where the table says
one, both must agree. What neither can say is an exception with its reason.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from interop.peer.build import OPTIONS
from interop.vectors import jvm
from interop.vectors.migration_exceptions import EXCEPTIONS
from interop.vectors.migration_runs import OBJECT_RUNS, TEXT_RUNS, Run

HERE = Path(__file__).parent
VECTORS = HERE.parents[1] / "tests" / "vectors"

NAMING = ("SerializationCodec", "MarshallingCodec")
TEXTS = (
    ("String", '""', "''"),
    ("String", '"hello"', "'hello'"),
    ("String", '"é😀"', "'é😀'"),
    ("String", '"x".repeat(1000)', "'x' * 1000"),
    ("String", '"abc".repeat(12000)', "'abc' * 12000"),
    ("String", '"abcdefgh0123".repeat(10000)', "'abcdefgh0123' * 10000"),
)

OWN_VALUES = {"FstCodec": HERE / "fst_values.txt"}
# What FST reaches into beyond the options of all.
OPENED = {
    "FstCodec": tuple(
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in (
            *("java.io", "java.util.concurrent.atomic", "java.util.concurrent.locks"),
            *("java.util.regex", "sun.util.calendar"),
        )
    )
}

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

    static <T extends Throwable> T bare(T thrown) {
        thrown.setStackTrace(new StackTraceElement[0]);
        return thrown;
    }

    static Throwable suppressing(Throwable thrown, Throwable other) {
        thrown.addSuppressed(other);
        return thrown;
    }

    static Calendar calendar(String zone) {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone(zone), Locale.GERMANY);
        calendar.setTimeInMillis(1700000000123L);
        return calendar;
    }

    static <C extends Collection> C add(C all, Object... values) {
        all.addAll(Arrays.asList(values));
        return all;
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
        Teller teller = new Teller(name);
        if (args.length == 2) {
            for (int i = 0; i < VALUES.size(); i++) {
                try {
                    Object value = VALUES.get(i).call();
                    Object bytes = codec(name, around).getValueEncoder().encode(value);
                    ByteBuf buffer = bytes instanceof byte[]
                            ? Unpooled.wrappedBuffer((byte[]) bytes)  // up to 3.5.1
                            : (ByteBuf) bytes;
                    String told;
                    try {
                        told = teller.tell(value);
                    } catch (StackOverflowError e) {
                        told = "a circle";
                    }
                    System.out.println("@" + i + " " + ByteBufUtil.hexDump(buffer) + " " + told);
                } catch (Throwable e) {
                    System.err.println(name + " refuses value " + i + ": " + e);
                }
            }
            System.exit(0);
        }
        if (args.length == 4) {
            int at = 0;
            for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[2]))) {
                String found;
                try {
                    ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(line));
                    Object value = codec(name, around).getValueDecoder().decode(bytes, null);
                    Object again = codec(name, around).getValueEncoder().encode(value);
                    found = ByteBufUtil.hexDump((ByteBuf) again);
                } catch (Throwable e) {
                    found = "!" + e;
                }
                System.out.println("@" + at++ + " " + found.replace('\\n', ' '));
            }
            System.exit(0);
        }
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[2]))) {
            String[] words = line.split(" ", -1);
            Object wanted = VALUES.get(Integer.parseInt(words[0])).call();
            String found;
            try {
                ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(words[1]));
                Object value = codec(name, around).getValueDecoder().decode(bytes, null);
                boolean same = Objects.deepEquals(wanted, value)
                                && (wanted == null || wanted.getClass() == value.getClass())
                        || teller.tell(wanted).equals(teller.tell(value));
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


def values(codec: str) -> list[list[str]]:
    """Read a codec's tables: type, Java expression, Python value; ``=`` leaves it to `Teller`.

    For FstCodec's own values, which Java's `Teller` does not know, only the table has the Python
    value.
    """
    tables = [HERE / "migration_values.txt"]
    tables += [HERE / "stream_values.txt"] if codec != "KryoCodec" else []
    tables += [OWN_VALUES[codec]] if codec in OWN_VALUES else []
    return [
        [*(cell.strip() for cell in line.split(" ;; ")), str(table in OWN_VALUES.values())]
        for table in tables
        for line in table.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]


def ask(run: Run, rows: Iterable[Iterable[str]], *words: str) -> Iterator[tuple[int, str]]:
    """Run the program with one codec; return its output for each row by number."""
    adds = "\n".join(f"        VALUES.add(() -> {list(row)[1]});" for row in rows)
    with tempfile.TemporaryDirectory() as folder:
        recorder = Path(folder, "Recorder.java")
        recorder.write_text(JAVA % adds, "utf-8")
        sources = [HERE / "tools" / "Teller.java", recorder]
        path = jvm.class_path(run[1], run[2])
        path = jvm.compile_java(path, sources, classes=HERE / "migration")
    options = [*OPTIONS, *OPENED.get(run[0], ())]
    around = str(run in TEXT_RUNS).lower()
    command = jvm.java(path, "Recorder", run[0], around, *words, options=options)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            number, _, told = line[1:].partition(" ")
            yield int(number), told


def wanted(run: Run, row: list[str], told: str, names: dict[str, Any]) -> dict[str, str]:
    """Return the Python value of a row, by the table or by Java; both must agree."""
    if run in TEXT_RUNS:
        return {"python": row[2]}
    stated, reason = EXCEPTIONS.get((run[0], row[1]), ("", ""))
    if reason:
        return {"python": stated, "reason": reason}
    own = row[3] == "True"
    if own or row[2] == "=":
        return {"python": row[2] if own else told}
    if repr(eval(row[2], dict(names))) != repr(eval(told, dict(names))):
        raise SystemExit(f"{run[0]}: {row[1]} is {row[2]} in the table and {told} to Java")
    return {"python": row[2]}


def record(run: Run, rows: list[list[str]], names: dict[str, Any]) -> None:
    """Write one file of vectors."""
    file = VECTORS / f"{run[0]}-{run[1]}.json"
    table = []
    for number, found in ask(run, rows):
        row, (data, _, told) = rows[number], found.partition(" ")
        head = {"release": run[1], "codec": run[0], "type": row[0], "java": row[1], "hex": data}
        table.append(head | wanted(run, row, told, names))
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in table)
    file.write_text(f"[\n{text}\n]\n", "utf-8")
    print(f"{run[0]} {run[1]}: {len(table)} of {len(rows)} values")


def echo(run: Run, data: Iterable[bytes]) -> list[str]:
    """Let Java decode and encode messages; return its bytes as hex, or "!" and the reason."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(each.hex() for each in data))
        file.flush()
        return [told for _, told in ask(run, [], file.name, "echo")]


def check(run: Run, rows: list[list[str]], codec: Any, names: dict[str, Any]) -> None:
    """Let Java decode what Python encodes."""
    recorded = json.loads((VECTORS / f"{run[0]}-{run[1]}.json").read_text("utf-8"))
    stated = {row["java"]: row["python"] for row in recorded}
    if run[0] in NAMING:  # objects of schemas, as the codecs without names need them
        other = json.loads((VECTORS / "FstCodec-3.12.5.json").read_text("utf-8"))
        stated |= {row["java"]: row["python"] for row in other if "com.example." in row["java"]}
        codec = type(codec)(names["SHAPES"])
    lines = {}
    for number, row in enumerate(rows):
        python = stated.get(row[1], "!")
        if python == "!":
            continue
        try:
            lines[number] = codec.encode(eval(python, dict(names))).hex()
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
    from tests.unit.codecs.migration_shapes import SHAPES
    from tests.unit.codecs.test_migration_vectors import CODECS, NAMES

    for run in (*OBJECT_RUNS, *TEXT_RUNS):
        if chosen and run[0] not in chosen and f"{run[0]}-{run[1]}" not in chosen:
            continue
        rows = [list(each) for each in TEXTS] if run in TEXT_RUNS else values(run[0])
        if checking:
            codec = CODECS.get(f"{run[0]}-{run[1]}") or CODECS[run[0]]
            check(run, rows, codec, NAMES | {"SHAPES": SHAPES})
        else:
            record(run, rows, NAMES)


if __name__ == "__main__":
    main(sys.argv[1:])
