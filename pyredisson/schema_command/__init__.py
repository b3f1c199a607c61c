"""`pyredisson schema`: writes Python schemas of Java classes from their class files.

``select`` finds the classes and all classes to which they refer (``chains`` finds the reference
that adds most of them). ``describe`` (with ``properties``) collects the facts that a codec needs.
``naming`` and ``python_types`` translate them to Python, and ``render`` writes the module. The
rule: facts that are not in a class file are never invented. Such a gap becomes a comment in the
module and a line on stderr.
"""

from __future__ import annotations

from .arguments import add_parser, run

__all__ = ["add_parser", "run"]
