"""Reads Java's `.class` files, alone, in directories and in jars, without a JVM.

It keeps only facts that a schema needs: names, flags, types, annotations, enum constants. The rule:
it executes no code and guesses nothing. Bytes that are not a class file raise a `ClassFileError`
that names the file. The format is chapter 4 of the Java Virtual Machine Specification (JVMS), up to
Java 25.
"""

from __future__ import annotations

from .classpath import ClassPath
from .errors import ClassFileError
from .model import Access, Annotation, ClassFile, Field, Method, TypeVariable
from .reader import read_class
from .serial import default_serial_version_uid

__all__ = [
    "Access",
    "Annotation",
    "ClassFile",
    "ClassFileError",
    "ClassPath",
    "Field",
    "Method",
    "TypeVariable",
    "default_serial_version_uid",
    "read_class",
]
