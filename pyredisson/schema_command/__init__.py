"""`pyredisson schema`: writes Python schemas of Java classes from their class files.

``select`` finds the classes and all to which they refer (``chains`` finds the reference that adds
most of them). ``describe`` (with ``properties``) collects the facts that a codec needs, ``naming``
and ``python_types`` translate them to Python, ``render`` writes the module. Facts that the class
file does not have are never invented; they become a comment in the module and a line on stderr.
"""

from __future__ import annotations

from .arguments import add_parser, run

__all__ = ["add_parser", "run"]
