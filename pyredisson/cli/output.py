"""What commands print: tables and lines for people, or one JSON document for programs.

The rule: with `--json` stdout has exactly one document, and everything else goes to stderr. Nothing
of a value reaches the terminal as a control character or as markup.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pyredisson.admin.json_values import printable

__all__ = ["Output", "shown_seconds", "table_of"]


class Output:
    """Prints what a command has found.

    Attributes:
        json: whether stdout gets one JSON document.
        console: where text for people goes.
    """

    def __init__(self, *, json: bool = False) -> None:
        self.json = json
        stream = sys.stderr if json else sys.stdout
        self.console = Console(file=stream, highlight=False, markup=False, emoji=False)

    def document(self, document: dict[str, Any]) -> None:
        """Print the JSON document; has no effect without `--json`."""
        if self.json:
            text = json.dumps(document, ensure_ascii=False)
            try:
                text.encode(sys.stdout.encoding or "utf-8")
            except UnicodeEncodeError:
                text = json.dumps(document)
            print(text, flush=True)

    def say(self, text: str, style: str = "") -> None:
        """Print a line for people."""
        self.console.print(Text(printable(text), style), soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a line to stderr, also with `--json`: what is missing in the answer, and why."""
        print(f"pyredisson: {printable(text)}", file=sys.stderr)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[Any]],
        *,
        right: Iterable[str] = (),
        cut: Iterable[str] | None = None,
    ) -> None:
        """Print a table for people; has no effect with `--json`.

        Args:
            columns: the heads.
            rows: their cells.
            right: the heads of columns with numbers.
            cut: the heads of the columns that are cut on a terminal that is too narrow for all; by
                default those without numbers.
        """
        if self.json:
            return
        cells = [[_cell(each) for each in row] for row in rows]
        if not self.console.is_terminal:
            self._plain(columns, cells, set(right))
            return
        flexible = set(columns) - set(right) if cut is None else set(cut)
        table = table_of(columns, right=right, flexible=flexible)
        for row in cells:
            table.add_row(*row)
        with self.console.capture() as shown:
            self.console.print(table)
        sys.stdout.write(shown.get())
        if shown.get().count("…") > sum(each.plain.count("…") for row in cells for each in row):
            self.note("long texts are cut (…): in a pipe and with --json they are whole")

    def _plain(
        self, columns: Sequence[str], rows: Sequence[Sequence[Text]], right: set[str]
    ) -> None:
        """Print columns for programs: nothing is cut, and the last column is not padded."""
        lines = [list(columns), *([each.plain for each in row] for row in rows)]
        widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            shown = []
            for head, each, width in zip(columns, line, widths, strict=True):
                last = head == columns[-1] and head not in right
                gap = "" if last else " " * (width - cell_len(each))
                shown.append(gap + each if head in right else each + gap)
            print("  ".join(shown).rstrip())


def table_of(
    columns: Sequence[str], *, right: Iterable[str] = (), flexible: Iterable[str] = ()
) -> Table:
    """Return an empty table without lines, which cuts only the `flexible` columns."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for head in columns:
        table.add_column(
            head,
            justify="right" if head in right else "left",
            no_wrap=head not in flexible,
            overflow="ellipsis",
        )
    return table


def _cell(value: Any) -> Text:
    if isinstance(value, Text):
        return value
    text = "" if value is None else printable(str(value))
    return Text(text, no_wrap=True, overflow="ellipsis")


_UNITS = ((86400, "d"), (3600, "h"), (60, "min"))


def shown_seconds(seconds: float) -> str:
    """Return a duration for people, as `1.5 s`, `3 min`, `5 h` or `2 d`."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.1f} s"
