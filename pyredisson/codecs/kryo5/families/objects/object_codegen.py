"""Object codegen: a function that reads an object's body and one that writes it, per class.

They do the steps of `bodies` without a loop: a field group in one call, each other field by its
own `read` or `write`. The generated text contains names of attributes that are plain identifiers,
never data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.codecs.kryo5.kernel.generics import Arguments, Bindings, Generic
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.rejection import Rejection

from .field_groups import FieldGroup, define, is_identifier, is_plain, setting_of
from .fields import Field

__all__ = ["ObjectFunctions", "compile_object"]

Bind = Callable[[tuple[Generic, ...], Bindings], None]
_READ_GROUP = """
    m = match{n}(source.data, source.pos)
    if m is None:
        for field, name in members{n}:
            put(o, name, field.read(source))
    else:
        source.pos = m.end()
        fill{n}(o, m)
"""
_READ = """
def read(source, arguments=None):
    o = new(CLASS)
    if source.objects is not None:
        source.objects[source.slot] = o
    source.depth += 1
    if source.depth > source.deepest:
        source.descended()
{lines}
    source.depth -= 1
    return o
"""
_READ_ALONE = """
def read(source, arguments=None):
    m = match0(source.data, source.pos)
    if m is None or source.objects is not None or source.depth >= source.deepest:
        return read_slowly(source)
    source.pos = m.end()
    return make0(m)
"""
_WRITE_GROUP = """
        if not write{n}(sink.out, o):
            at = -1
            for field, name in members{n}:
                write_field(sink, o, field, name)
"""
_WRITE_FIELD = """
        at = {n}
        write{n}(sink, o.{name})
"""
_WRITE = """
def write(sink, o, arguments=None):
    if o.__class__ is not CLASS and not isinstance(o, CLASS):
        raise reject(o)
    sink.depth += 1
    if sink.depth > sink.limits.max_depth:
        sink.descended()
    at = -1
    try:
{lines}
    except (Rejection, AttributeError) as error:
        locate(error, o, at)
        raise
    sink.depth -= 1
"""


class ObjectFunctions:
    """The two functions of a class.

    Attributes:
        read: does what `Serializer.read` does.
        write: does what `Serializer.write` does.
    """

    __slots__ = ("read", "write")

    def __init__(self, scope: dict[str, Any]) -> None:
        self.read: Callable[..., Any] = scope["read"]
        self.write: Callable[..., None] = scope["write"]

    def methods(self, bind: Bind | None) -> dict[str, Callable[..., Any]]:
        """Return `read` and `write` as methods of a serializer; `bind` binds its type variables."""
        if bind is None:
            return {"read": self.read, "write": self.write}
        plain_read, plain_write = self.read, self.write

        def read(source: Reader, arguments: Arguments = None) -> Any:
            if not arguments:
                return plain_read(source)
            mark = len(source.bindings)
            bind(arguments, source.bindings)
            found = plain_read(source)
            del source.bindings[mark:]
            return found

        def write(sink: Writer, value: Any, arguments: Arguments = None) -> None:
            if not arguments:
                plain_write(sink, value)
                return
            mark = len(sink.bindings)
            bind(arguments, sink.bindings)
            plain_write(sink, value)
            del sink.bindings[mark:]

        return {"read": read, "write": write}


def compile_object(
    cls: Any,
    steps: list[FieldGroup | tuple[Field, str]],
    transient: list[tuple[str, Any]],
    helpers: dict[str, Callable[..., Any]],
) -> ObjectFunctions | None:
    """Compile the functions of a class; return None if a name is not an identifier.

    `transient` are the attributes that Java does not write, with their values; `helpers` (`reject`,
    `locate` and `write_field`) raise errors or complete them.
    """
    names = [step[1] for step in steps if isinstance(step, tuple)] + [name for name, _ in transient]
    if not all(map(is_identifier, names)):
        return None
    put = setattr if is_plain(cls) else object.__setattr__
    scope: dict[str, Any] = {"CLASS": cls, "new": cls.__new__, "put": put, "Rejection": Rejection}
    scope |= helpers
    setting = setting_of(cls) + "\n"
    read = write = ""
    for n, step in enumerate(steps):
        if isinstance(step, FieldGroup):
            scope |= {f"match{n}": step.match, f"fill{n}": step.fill}
            scope |= {f"members{n}": step.members, f"write{n}": step.write}
            read += _READ_GROUP.format(n=n)
            write += _WRITE_GROUP.format(n=n)
        else:
            field, name = step
            scope |= {f"read{n}": field.read, f"write{n}": field.write}
            read += setting.format(o="o", name=name, value=f"read{n}(source)")
            write += _WRITE_FIELD.format(n=n, name=name)
    for n, (name, zero) in enumerate(transient):
        scope[f"zero{n}"] = zero
        read += setting.format(o="o", name=name, value=f"zero{n}")
    if len(steps) == 1 and isinstance(steps[0], FieldGroup) and not transient:
        scope["make0"] = steps[0].make
        head = _READ.format(lines=read).replace("def read(", "def read_slowly(") + _READ_ALONE
    else:
        head = _READ.format(lines=read)
    text = head + _WRITE.format(lines=write or "        pass")
    define(text, f"<object of {cls.__name__}>", scope)
    return ObjectFunctions(scope)
