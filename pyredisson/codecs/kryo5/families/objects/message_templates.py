"""Further templates for `message_codegen`: segments, lists and maps.

In a case that it does not handle, generated code returns None when it reads, and False when it
writes. The names in braces stand for numbers and variables that `message_codegen` makes.
"""

from __future__ import annotations

__all__ = [
    "READ_ENTRIES",
    "READ_MANY",
    "READ_OBJECTS",
    "SEGMENT",
    "WRITE_DECIMAL",
    "WRITE_ENTRIES",
    "WRITE_MANY",
    "WRITE_NULL",
    "WRITE_OBJECTS",
    "WRITE_TYPED_VALUE",
]

SEGMENT = """
    m = match{n}(data, pos)
    if m is None:
        return None
    {groups}= m.groups()
    pos = m.end()"""
READ_MANY = """
    found = {read}(data, pos, g{count}[0] - 1)
    if found is None:
        return None
    {o}, pos = found"""
READ_OBJECTS = """
    {o} = []
    read = first{n}
    for _ in range(g{count}[0] - 129):
        found = read(data, pos)
        if found is None:
            return None
        {o}.append(found[0])
        pos = found[1]
        read = next{n}"""
READ_ENTRIES = """
    {o} = {{}}
    size = g{count}[0] - 1
    if size:
        found = list(islice(iter(scan{n}(data, pos).match, None), size))
        if len(found) != size:
            return None
        {o} = make_map(MAP, [({key}, {value}) for a, b in [m.groups() for m in found]])
        pos = found[-1].end()"""
WRITE_MANY = """
    if v.__class__ is not list or len(v) > 32:
        return False
    out.append(len(v) + 1)
    if v and not {write}(out, v):
        return False"""
WRITE_OBJECTS = """
    if v.__class__ is not list or not 0 < len(v) < 33:
        return False
    out.append(len(v) + 129)
    out += HEAD{n}
    write = write_first{n}
    for each in v:
        if not write(out, each):
            return False
        write = write_next{n}"""
WRITE_DECIMAL = """
    if not encode_decimal(out, v):
        return False"""
WRITE_ENTRIES = """
    if v.__class__ is not dict or len(v) > 32:
        return False
    out.append(len(v) + 1)
    order = put_order(list(v))
    found = list(v.items())
    for key, v in found if order is None else map(found.__getitem__, order):
        if key.__class__ is not str:
            return False
        encode_text(out, key)"""
# Within a map's loop.
WRITE_NULL = """
        if v is None:
            out.append(0)
            continue
        out.append(1)"""
WRITE_TYPED_VALUE = """
        if not put_typed_value(out, v, writers):
            return False"""
