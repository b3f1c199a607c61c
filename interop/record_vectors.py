"""Record what released Redisson codecs write: `tests/vectors/{codec}-{release}.json`.

Each value of `vectors/values.txt` becomes one row: release, codec, Java type,
Java expression, the bytes in hex as the Java codec wrote them, and the Python
value that they stand for. The jars come from Maven Central; needed are `mvn` and
a JDK 17. Run it as `python interop/record_vectors.py [release ...]`.

The rule: the bytes come from Java alone; nothing here computes them. A value that
the Java codec refuses is left out of that file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
VECTORS = HERE.parent / "tests" / "vectors"
CODECS = ("Kryo5Codec", "JsonJacksonCodec")
RELEASES = ("3.19.3", "3.21.1", "4.7.0")
# Optional in Redisson since 4.0.0; the version is the one its parent pom names.
JACKSON = {"4.7.0": "2.21.3"}

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>vectors</groupId><artifactId>vectors</artifactId><version>1</version>
  <dependencies>{dependencies}</dependencies>
</project>
"""
DEPENDENCY = (
    "<dependency><groupId>{0}</groupId><artifactId>{1}</artifactId>"
    "<version>{2}</version></dependency>"
)
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
                    System.out.println("@" + name + " " + i + " " + ByteBufUtil.hexDump(bytes));
                } catch (Throwable e) {
                    System.err.println(name + " refuses value " + i + ": " + e);
                }
            }
        }
        System.exit(0);
    }
}
"""


def values() -> list[list[str]]:
    """Read the table: type, Java expression, Python value, Python value after JSON."""
    rows = []
    for line in (HERE / "vectors" / "values.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split(" ;; ")]
            rows.append(cells if len(cells) == 4 else [*cells, cells[2]])
    return rows


def class_path(release: str, folder: Path) -> str:
    """Resolve the release and its libraries with Maven."""
    wanted = [("org.redisson", "redisson", release)]
    if release in JACKSON:
        wanted.append(("com.fasterxml.jackson.core", "jackson-databind", JACKSON[release]))
    dependencies = "".join(DEPENDENCY.format(*each) for each in wanted)
    (folder / "pom.xml").write_text(POM.format(dependencies=dependencies))
    target = folder / "class-path"
    command = ["mvn", "-q", "-B", "dependency:build-classpath", f"-Dmdep.outputFile={target}"]
    subprocess.run(command, cwd=folder, check=True)
    return target.read_text().strip()


def record(release: str, rows: list[list[str]]) -> dict[str, dict[int, str]]:
    """Return the bytes in hex by codec and row number."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = class_path(release, folder)
        adds = "\n".join(f"        VALUES.add(() -> {row[1]});" for row in rows)
        (folder / "Recorder.java").write_text(JAVA % adds, "utf-8")
        command = ["java", "-Dfile.encoding=UTF-8", "-cp", path, str(folder / "Recorder.java")]
        done = subprocess.run([*command, *CODECS], check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, dict[int, str]] = {codec: {} for codec in CODECS}
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            codec, number, *data = line[1:].split(" ")
            found[codec][int(number)] = "".join(data)
    return found


def main(releases: list[str]) -> None:
    """Record each release into one file per codec."""
    rows = values()
    VECTORS.mkdir(exist_ok=True)
    for release in releases or RELEASES:
        for codec, found in record(release, rows).items():
            table = [
                {
                    "release": release,
                    "codec": codec,
                    "type": rows[number][0],
                    "java": rows[number][1],
                    "hex": data,
                    "python": rows[number][3 if codec == "JsonJacksonCodec" else 2],
                }
                for number, data in sorted(found.items())
            ]
            text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in table)
            (VECTORS / f"{codec}-{release}.json").write_text(f"[\n{text}\n]\n", "utf-8")
            print(f"{codec} {release}: {len(table)} of {len(rows)} values")


if __name__ == "__main__":
    main(sys.argv[1:])
