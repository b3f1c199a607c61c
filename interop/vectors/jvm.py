"""Real Java codecs for the vectors and the fuzzers: jars of a release, and compiled classes.

The jars come from Maven Central; needed are `mvn` and a JDK 17. The test classes are
those of `vectors/java`. Nothing here knows a codec.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from interop.peer.build import QUICK, quick_maven
from tests.support.machine import locked

HERE = Path(__file__).resolve().parent
CLASSES = HERE / "java"
CACHE = HERE.parents[1] / ".cache" / "vectors"

# Optional in Redisson since 4.0.0; the version is the one its parent pom names.
JACKSON = {"4.7.0": "2.21.3"}
ANNOTATIONS = "2.21"

# FieldSerializer reaches into the JDK for UUID (3.19.0) and the Atomic classes (before 3.46.0).
OPENS = [
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in ("java.util", "java.util.concurrent.atomic", "java.util.regex", "java.net")
]

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

Artifact = tuple[str, str, str]


def class_path(release: str, more: Iterable[Artifact] = ()) -> str:
    """Resolve the release, its libraries and `more` artifacts with Maven; kept for the next run."""
    wanted = [("org.redisson", "redisson", release), *more]
    if release in JACKSON:
        wanted.append(("com.fasterxml.jackson.core", "jackson-databind", JACKSON[release]))
    pom = POM.format(dependencies="".join(DEPENDENCY.format(*each) for each in wanted))
    folder = CACHE / f"{release}-{sha256(pom.encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "class-path"
    with locked("build"):
        if not target.exists():
            (folder / "pom.xml").write_text(pom)
            made = folder / "class-path.new"  # renamed when it is whole
            goal = ["dependency:build-classpath", f"-Dmdep.outputFile={made}"]
            run = partial(subprocess.run, cwd=folder, env=quick_maven())
            if run(["mvn", "-q", "-B", "-o", *goal], check=False).returncode:
                run(["mvn", "-q", "-B", *goal], check=True)
            made.rename(target)
    return target.read_text().strip()


def compile_java(path: str, sources: Iterable[Path], classes: Path = CLASSES) -> str:
    """Compile the test classes and `sources`, kept for the next run; return their class path."""
    files = sorted([*classes.rglob("*.java"), *sources])
    texts = b"\0".join(each.read_bytes() for each in files)
    target = CACHE / "classes" / sha256(path.encode() + texts).hexdigest()[:16]
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent) as made:
            command = ["javac", *(f"-J{option}" for option in QUICK), "-nowarn", "-Xlint:none"]
            command += ["-encoding", "UTF-8", "-cp", path]
            subprocess.run([*command, "-d", f"{made}/classes", *map(str, files)], check=True)
            with contextlib.suppress(OSError):  # another process was as fast
                Path(made, "classes").rename(target)
    return f"{target}:{path}"


def java(path: str, main: str, *arguments: str, options: Iterable[str] = ()) -> list[str]:
    """Return the command that runs a class."""
    return [
        "java",
        "-Dfile.encoding=UTF-8",
        *QUICK,
        *options,
        "-cp",
        path,
        main,
        *arguments,
    ]
