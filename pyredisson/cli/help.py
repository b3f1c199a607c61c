"""The help texts: examples keep their lines, and the options that commands share come last.

The rule: no help text shows the value of an environment variable, because URLs contain passwords.
"""

from __future__ import annotations

from collections.abc import Iterable

import click

from pyredisson.cli.server_options import OPTIONS

__all__ = ["CODEC_OPTIONS", "HelpContext"]

CODEC_OPTIONS = ("codec", "release", "schemas")

_GROUPS = {
    "Values": {f"--{name}" for name in CODEC_OPTIONS},
    "Server (or $PYREDISSON_URL, $PYREDISSON_TLS_CA and so on)": {
        f"--{each.name}" for each in OPTIONS
    },
}
_Row = tuple[str, str]


class _Formatter(click.HelpFormatter):
    """Writes the options of a command in groups, its own first."""

    def write_text(self, text: str) -> None:
        """Write paragraphs; those with indented lines, such as examples, are not wrapped."""
        paragraphs = text.split("\n\n")
        super().write_text(
            "\n\n".join(f"\b\n{each}" if "\n  " in each else each for each in paragraphs)
        )

    def write_dl(self, rows: Iterable[_Row], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write the rows, and those of each group under a heading of their own."""
        groups: dict[str, list[_Row]] = {"": [], **{title: [] for title in _GROUPS}}
        for row in rows:
            option = row[0].split()[0]
            title = next((each for each, names in _GROUPS.items() if option in names), "")
            groups[title].append(row)
        super().write_dl(groups.pop(""), col_max, col_spacing)
        self.dedent()
        for title, some in groups.items():
            if some:
                with self.section(title):
                    super().write_dl(some, col_max, col_spacing)
        self.indent()


class HelpContext(click.Context):
    """The context of a command whose help has groups."""

    formatter_class = _Formatter
