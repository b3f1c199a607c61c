"""The tests, faults and rights that docs/guarantees.md and docs/evidence.md name exist."""

import re
from collections.abc import Iterator
from pathlib import Path

from pyredisson.protocol.checks.finding import Finding, FindingKind
from tests.support.access import ROLES
from tests.support.rows import each_row

ROOT = Path(__file__).parents[3]
PAGE, EVIDENCE = (
    (ROOT / "docs" / name).read_text("utf-8") for name in ("guarantees.md", "evidence.md")
)


def named() -> Iterator[tuple[str, str]]:
    """Yield each file and function in the table of faults; `::name` is in the file before."""
    path = ""
    for file, name, case in re.findall(r"`([\w/.]*)::(\w+)(?:\[(\w+)\])?`", EVIDENCE):
        path = file or path
        yield path, name
        if case:
            yield path, case


@each_row(("path", "name"), sorted(set(named())))
def test_each_named_test_exists(path: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE)


def test_each_fault_is_named() -> None:
    """The table names each fault of the soak, unless tests of other rows cause it, too."""
    source = (ROOT / "interop" / "soak" / "faults.py").read_text("utf-8")
    faults = set(re.findall(r"^def (\w+)\(stage: Stage\) -> None:", source, re.MULTILINE))
    both = {"cut_connections", "forget_scripts", "fill_the_memory", "keep_it_busy"}
    both |= {"freeze_the_server", "step_the_clock", "black_hole", "lose_replies"}
    assert faults - both == {name for path, name in named() if path.startswith("interop/soak")}


def test_each_finding_has_a_row() -> None:
    """The row of a finding that a repair does not change says `nothing`."""
    start = PAGE.index("| `finding.kind` |")
    rows = [line.split(" | ") for line in PAGE[start : PAGE.index("\n\n", start)].splitlines()[2:]]
    assert [row[0] for row in rows] == [f"| `{kind}`" for kind in FindingKind]
    left = {kind for kind in FindingKind if not Finding(kind, "k", 1, (), "").repairable}
    assert {row[0] for row in rows if row[2] == "nothing |"} == {f"| `{kind}`" for kind in left}


@each_row(
    ("name", "path", "constant"),
    [
        ("producer", "tests/_async/link/test_acl.py", "PRODUCER"),
        ("consumer", "tests/_async/link/test_acl.py", "CONSUMER"),
        ("viewer", "tests/_async/link/test_acl.py", "OBSERVER"),
        ("sidecar", "tests/support/rights.py", "TRANSFER"),
        ("worker", "tests/_async/link/test_acl_consumers.py", "ACKNOWLEDGING"),
        ("operator", "tests/_async/link/test_acl_consumers.py", "LETTERS"),
    ],
)
def test_users_of_tests_have_the_documented_rights_alone(
    name: str, path: str, constant: str
) -> None:
    source = (ROOT / path).read_text("utf-8")
    value = re.search(rf"^{constant} = \((.*?)\)$", source, re.MULTILINE | re.DOTALL)
    assert value
    given = set(re.findall(r'"(\+[^"]+)"', value.group(1)))
    assert given
    (role,) = (each for each in ROLES if each.name == name)
    assert given <= set(role.words())
