"""Parses the bytes of one class file to a `ClassFile`.

Attributes that it does not need are skipped, as JVMS 4.7.1 permits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pyredisson.java.types import JavaType

from .annotations import read_annotations
from .code import enum_bodies, returned_field
from .constants import ConstantPool
from .cursor import Cursor
from .errors import ClassFileError
from .model import Access, Annotation, ClassFile, Field, InnerClass, Method
from .signatures import class_signature, field_type

__all__ = ["MAX_CLASS_SIZE", "read_class", "read_supertypes"]

MAX_CLASS_SIZE = 16 * 1024 * 1024
"""Bytes. No compiler writes larger classes: a method has at most 64 KiB of code."""

_ANNOTATIONS = "RuntimeVisibleAnnotations"


def read_class(data: bytes, label: str) -> ClassFile:
    """Parse a class file; `label` names it in errors.

    Raises:
        ClassFileError: the bytes are not a class file, or are damaged.
    """
    cursor = _started(data, label)
    try:
        found = _class(cursor, ConstantPool(cursor))
    except ClassFileError:
        raise
    except ValueError as error:  # from `signatures`, which does not know the file's name
        raise cursor.error(str(error)) from None
    cursor.end("the class")
    return found


def read_supertypes(data: bytes, label: str) -> tuple[str, list[str]]:
    """Return a class's name and those of its superclass and interfaces; do not read the rest.

    Raises:
        ClassFileError: the bytes are not a class file, or this part of it is damaged.
    """
    cursor = _started(data, label)
    pool = ConstantPool(cursor)
    cursor.take(2)  # the flags
    name, parent = pool.class_name(cursor.u2()), pool.optional_class(cursor.u2())
    interfaces = [pool.class_name(cursor.u2()) for _ in range(cursor.u2())]
    return name, [parent, *interfaces] if parent else interfaces


def _started(data: bytes, label: str) -> Cursor:
    if len(data) > MAX_CLASS_SIZE:
        raise ClassFileError(f"{label}: larger than {MAX_CLASS_SIZE} bytes")
    cursor = Cursor(data, label)
    if cursor.take(min(4, len(data))) != b"\xca\xfe\xba\xbe":
        raise cursor.error("not a class file: it does not start with CAFEBABE")
    cursor.take(4)  # the format's version is not needed: unknown constants have unknown tags
    return cursor


def _class(cursor: Cursor, pool: ConstantPool) -> ClassFile:
    flags = Access(cursor.u2())
    name = pool.class_name(cursor.u2())
    parent = pool.optional_class(cursor.u2())
    found = ClassFile(
        name=name,
        flags=flags,
        superclass=JavaType(parent) if parent else None,
        interfaces=tuple(JavaType(pool.class_name(cursor.u2())) for _ in range(cursor.u2())),
        fields=tuple(_field(cursor, pool) for _ in range(cursor.u2())),
        methods=tuple(_method(cursor, pool) for _ in range(cursor.u2())),
    )
    for attribute, content in _attributes(cursor, pool):
        found = _with_attribute(found, attribute, content, pool)
    return _with_code(found, pool)


def _attributes(cursor: Cursor, pool: ConstantPool) -> Iterator[tuple[str, Cursor]]:
    for _ in range(cursor.u2()):
        name = pool.text(cursor.u2())
        yield name, cursor.part(cursor.u4())


def _with_attribute(found: ClassFile, name: str, content: Cursor, pool: ConstantPool) -> ClassFile:
    if name == "Signature":
        signature = class_signature(pool.text(content.u2()))
        return replace(
            found,
            variables=signature.variables,
            superclass=signature.superclass if found.superclass else None,
            interfaces=signature.interfaces,
        )
    if name == "InnerClasses":
        inner = tuple(_inner_class(content, pool) for _ in range(content.u2()))
        found = replace(found, inner=inner)
        own = found.own
        return replace(found, flags=found.flags | own.flags) if own else found
    if name == "Record":
        return replace(found, components=tuple(_components(content, pool)))
    if name == "PermittedSubclasses":
        permitted = tuple(pool.class_name(content.u2()) for _ in range(content.u2()))
        return replace(found, permitted=permitted)
    if name == _ANNOTATIONS:
        return replace(found, annotations=read_annotations(content, pool))
    return found


def _inner_class(content: Cursor, pool: ConstantPool) -> InnerClass:
    name = pool.class_name(content.u2())
    outer = pool.optional_class(content.u2())
    simple = content.u2()
    return InnerClass(name, outer, pool.name(simple) if simple else None, Access(content.u2()))


def _components(content: Cursor, pool: ConstantPool) -> Iterator[str]:
    for _ in range(content.u2()):
        yield pool.name(content.u2())
        content.u2()
        for _attribute in _attributes(content, pool):
            pass  # the field of the same name has the same attributes


def _field(cursor: Cursor, pool: ConstantPool) -> Field:
    flags = Access(cursor.u2())
    name = pool.name(cursor.u2())
    erased = declared = field_type(pool.name(cursor.u2()))
    annotations: tuple[Annotation, ...] = ()
    constant = None
    for attribute, content in _attributes(cursor, pool):
        if attribute == "Signature":
            declared = field_type(pool.text(content.u2()))
        elif attribute == "ConstantValue":
            constant = pool.value(content.u2())
        elif attribute == _ANNOTATIONS:
            annotations = read_annotations(content, pool)
    return Field(name, flags, declared, erased, annotations, constant)


def _method(cursor: Cursor, pool: ConstantPool) -> Method:
    flags = Access(cursor.u2())
    name, descriptor = pool.name(cursor.u2()), pool.name(cursor.u2())
    signature, code = None, b""
    annotations: tuple[Annotation, ...] = ()
    for attribute, content in _attributes(cursor, pool):
        if attribute == "Signature":
            signature = pool.text(content.u2())
        elif attribute == "Code":
            content.take(4)
            code = content.take(content.u4())
        elif attribute == _ANNOTATIONS:
            annotations = read_annotations(content, pool)
    return Method(name, flags, descriptor, signature, annotations, code)


def _with_code(found: ClassFile, pool: ConstantPool) -> ClassFile:
    returned: dict[str, str] = {}
    bodies: dict[str, str] = {}
    for method in found.methods:
        if method.name == "<clinit>" and found.is_enum:
            constants = {each.name for each in found.fields if each.flags & Access.ENUM}
            bodies = enum_bodies(method.code, pool, found.name, constants)
        elif method.descriptor.startswith("()"):
            name = returned_field(method.code, pool, found.name)
            if name is not None:
                returned[method.name] = name
    return replace(found, returned=returned, bodies=bodies)
