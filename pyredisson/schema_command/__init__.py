"""`pyredisson schema`: writes Python schemas of Java classes from their class files.

``select`` finds the classes and all they refer to (``chains`` says what brings most of
them), ``describe`` (with ``properties``) says what a codec must know of each, ``naming`` and
``python_types`` say it in Python, ``render`` writes the module.  The rule: what the class
file does not say is not invented; it becomes a comment in the module and a line on stderr.
"""

from __future__ import annotations

from .arguments import add_parser, run

__all__ = ["add_parser", "run"]
