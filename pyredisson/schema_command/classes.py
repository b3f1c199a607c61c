"""Writes a Java class as Python source: decorator, base classes, fields and getters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pyredisson.classfile import Access

from .describe import Description, FieldDescription
from .imports import words
from .layout import Group, lay_out
from .members import enum_lines
from .naming import attribute_names, class_names, is_plain
from .order import in_order
from .properties import Getter
from .python_types import container_base, default_of, python_type, quoted
from .supertypes import Supertypes

__all__ = ["ClassWriter"]

_CONTAINER_NAMES = frozenset([*dir(list), *dir(set), *dir(dict)])


class ClassWriter:
    """Writes the classes in the order of `ordered`; `used` has the names that they must import."""

    def __init__(self, classes: Mapping[str, Description]) -> None:
        self.ordered = in_order(classes)
        self.used: set[str] = set()
        self._classes = classes
        self._names = class_names(each.file for each in self.ordered)
        self._attributes: dict[str, dict[str, str]] = {}
        self._supertypes = Supertypes()

    def lines(self, each: Description) -> list[str]:
        """Return the lines of the next class."""
        interfaces = [self._names[name] for name in self._supertypes.interfaces(each)]
        if each.file.is_enum:
            self.used |= {"java_enum", "Enum", "auto"} if each.constants else {"java_enum", "Enum"}
            lines = enum_lines(each, self._names[each.name], interfaces)
        else:
            lines = self._class(each, interfaces)
        return lines

    def _class(self, each: Description, interfaces: Sequence[str]) -> list[str]:
        name = self._names[each.name]
        container = self._container(each)
        parent = self._names.get(each.parent.name) if each.parent else None
        base = parent or container
        bases = [*([base] if base else []), *interfaces]
        attributes = self._name_attributes(each, name, container is not None)
        getters = [self._getter_argument(each, getter) for getter in each.getters]
        arguments = _arguments(each, getters, self._supertypes.not_inherited(each))
        lines = lay_out(Group("@java_class(", arguments, ")"))
        self.used |= {"java_class", *words(base or "")}
        self.used |= {"JavaField"} if each.outer is not None else set()
        if container is None and not each.file.is_interface:
            self.used.add("dataclass")
            lines.append("@dataclass(frozen=True)" if each.file.is_record else "@dataclass")
        lines += lay_out(Group(f"class {name}(", bases, "):")) if bases else [f"class {name}:"]
        body: list[str] = []
        for field in each.fields:
            body += self._field(field, attributes[field.name], default=container is None)
        for getter in _without_field(each):
            body += self._getter(each, getter, first=not body)
        return [*lines, *(body or ["    pass"])]

    def _chain(self, each: Description) -> Iterator[Description]:
        """Yield a class and its superclasses that are in the module."""
        current: Description | None = each
        while current is not None:
            yield current
            current = self._classes.get(current.parent.name) if current.parent else None

    def _container(self, each: Description) -> str | None:
        """Return ``list[...]`` or similar if a class descends from a collection of the JDK."""
        for above in self._chain(each):
            base = container_base(above.parent) if above.parent else None
            if base is not None:
                return base
        return None

    def _name_attributes(self, each: Description, name: str, container: bool) -> dict[str, str]:
        supers = [above for above in self._chain(each) if above is not each]
        inherited = {
            attribute for above in supers for attribute in self._attributes[above.name].values()
        }
        inherited |= {getter.method for above in supers for getter in _without_field(above)}
        taken = {*self._names.values(), *(getter.method for getter in _without_field(each))}
        found = attribute_names(
            [field.name for field in each.fields],
            name,
            taken | _CONTAINER_NAMES if container else taken,
            inherited,
        )
        self._attributes[each.name] = found
        return found

    def _field(self, field: FieldDescription, attribute: str, *, default: bool) -> list[str]:
        python = python_type(field.type, self._names.get)
        arguments = [quoted(field.text)]
        if attribute != field.name:
            arguments.append(f"name={quoted(field.name)}")
        if field.json is not None:
            arguments.append(f"json={quoted(field.json)}")
        if field.json_ignore:
            arguments.append("json_ignore=True")
        if field.transient:
            arguments.append("transient=True")
        if field.hidden:
            arguments.append("public=False")
        java = arguments[0] if len(arguments) == 1 else Group("JavaField(", arguments, ")")
        self.used |= {"Annotated", *words(python), *(["JavaField"] if len(arguments) > 1 else [])}
        after = f" = {default_of(field.type, field.constant)}" if default else ""
        return lay_out(Group(f"{attribute}: Annotated[", [python, java], "]"), after, "    ")

    def _getter(self, each: Description, getter: Getter, *, first: bool) -> list[str]:
        """Return a property's lines if the bytecode returns a field; none if Java computes it."""
        attribute = self._returned(each, getter)
        if attribute is None or not is_plain(getter.method):
            return []
        python = python_type(getter.type, self._names.get)
        self.used |= set(words(python))
        lines = [
            "    @property",
            f"    def {getter.method}(self) -> {python}:",
            f"        return self.{attribute}",
        ]
        return lines if first else ["", *lines]

    def _returned(self, each: Description, getter: Getter) -> str | None:
        for above in self._chain(each):
            found = self._attributes[above.name].get(getter.returns or "")
            if found is not None:
                return found
        return None

    def _getter_argument(self, each: Description, getter: Getter) -> str | Group:
        """Return the decorator's argument for a getter."""
        arguments = [quoted(getter.text)]
        if getter.json is not None:
            arguments.append(f"json={quoted(getter.json)}")
        if getter.json_ignore:
            arguments.append("json_ignore=True")
        elif not getter.of_field and self._returned(each, getter) is not None:
            arguments.append(f"returns={quoted(str(getter.returns))}")
        self.used |= {"JavaField"} if len(arguments) > 1 else set()
        if len(arguments) == 1:
            return f"{quoted(getter.method)}: {arguments[0]}"
        return Group(f"{quoted(getter.method)}: JavaField(", arguments, ")")


def _without_field(each: Description) -> list[Getter]:
    """Return the getters whose property is not a field; Python must provide their values."""
    return [getter for getter in each.getters if not getter.of_field]


def _arguments(
    each: Description, getters: Sequence[str | Group], interfaces: Sequence[str]
) -> Sequence[str | Group]:
    """Return the decorator's arguments; `interfaces` are those that are not Python base classes."""
    items: list[str | Group] = [quoted(each.name)]
    if each.file.is_record:
        items.append("record=True")
    elif each.file.flags & Access.FINAL:
        items.append("final=True")
    if each.file.is_interface:
        items.append("interface=True")
    elif each.file.flags & Access.ABSTRACT:
        items.append("abstract=True")
    if each.variables:
        items.append(Group("variables=[", [quoted(text) for text in each.variables], "]"))
    if each.extends:
        items.append(f"extends={quoted(each.extends)}")
    if interfaces:
        items.append(Group("interfaces=[", [quoted(text) for text in interfaces], "]"))
    if getters:
        items.append(Group("getters={", getters, "}"))
    if each.serial_version_uid is not None:
        items.append(f"serial_version_uid={each.serial_version_uid}")
    if each.outer is not None:
        named = "" if each.outer.name == "this$0" else f', name="{each.outer.name}"'
        items.append(f'outer=JavaField("{each.outer.text}"{named})')
    if each.own_serialization:
        items.append(Group("own_serialization=[", [quoted(n) for n in each.own_serialization], "]"))
    return items
