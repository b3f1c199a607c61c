"""Which classes of a library are included: its values, and not its internals."""

import pytest

from pyredisson.java.schemas import collect
from tests.schema_command.support import LIST, Load, Run
from tests.unit.classfile.assembler import (
    ABSTRACT,
    FINAL,
    INTERFACE,
    PUBLIC,
    STATIC,
    TRANSIENT,
    ClassBuilder,
    enum_class,
)

SERIALIZABLE = ["java.io.Serializable"]


def interface(name: str, *above: str) -> ClassBuilder:
    return ClassBuilder(name, flags=INTERFACE | ABSTRACT, interfaces=above)


def redis() -> list[ClassBuilder]:
    """A library with a client, as Redisson: all its classes are behind the client's interface."""
    return [
        interface("lib.api.Client"),
        ClassBuilder("lib.RedisClient", interfaces=["lib.api.Client"]).field("c", "Llib/Core;"),
        ClassBuilder("lib.Core").field("codec", "Llib/Codec;").field("config", "Llib/Config;"),
        interface("lib.Codec"),
        ClassBuilder("lib.Config", interfaces=SERIALIZABLE).field("codec", "Llib/Codec;"),
    ]


def money() -> list[ClassBuilder]:
    """A library of values behind interfaces."""
    far = ClassBuilder("com.example.Bonus", "money.Base")
    return [
        interface("money.Amount"),
        ClassBuilder("money.Base", flags=ABSTRACT | PUBLIC, interfaces=["money.Amount"]),
        ClassBuilder("money.Cash", "money.Base", interfaces=SERIALIZABLE).field(
            "unit", "Lmoney/Unit;"
        ),
        interface("money.Unit"),
        enum_class("money.Euro", {"EUR": None}, interfaces=["money.Unit"]),
        ClassBuilder(
            "money.Coin", "java.lang.Record", interfaces=["money.Unit"], flags=FINAL | PUBLIC
        ).record(),
        ClassBuilder("money.Exchange", interfaces=["money.Amount"]).field("c", "Llib/Core;"),
        ClassBuilder("money.Rates").field("amount", "Lmoney/Amount;"),
        far,
    ]


VALUES = {"money.Amount", "money.Base", "money.Cash", "money.Unit", "money.Euro", "money.Coin"}
BONUS = "com.example.Bonus"
SERVICE = "com.example.Service"


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        (ClassBuilder(SERVICE).field("client", "Llib/api/Client;"), {"lib.api.Client"}),
        (
            ClassBuilder(SERVICE).field(
                "all", LIST, signature="Ljava/util/List<Llib/api/Client;>;"
            ),
            {"lib.api.Client"},
        ),
        (ClassBuilder(SERVICE).field("client", "Llib/api/Client;", STATIC), set()),
        (ClassBuilder(SERVICE).field("client", "Llib/api/Client;", TRANSIENT), set()),
        (ClassBuilder(SERVICE).field("config", "Llib/Config;"), {"lib.Config", "lib.Codec"}),
        (ClassBuilder(SERVICE).field("amount", "Lmoney/Amount;"), VALUES),
        (ClassBuilder(SERVICE).field("rates", "Lmoney/Rates;"), VALUES | {"money.Rates"}),
    ],
)
def test_values_of_a_library_are_included(
    run: Run, load: Load, service: ClassBuilder, expected: set[str]
) -> None:
    """The application's own classes are always included: `com.example.Bonus` is an Amount."""
    result = run(service, *redis(), *money(), names=["com.example.**"])
    assert set(collect(load(result))) == {SERVICE, BONUS, "money.Base", *expected}


def test_library_class_that_the_application_extends_is_included(run: Run, load: Load) -> None:
    """A class that is included as a superclass is not reported as left out."""
    classes = [
        interface("lib.Event"),
        ClassBuilder("lib.Plain", interfaces=["lib.Event"]),
        ClassBuilder("com.other.Placed", "lib.Plain"),
        ClassBuilder("com.example.Task").field("event", "Llib/Event;"),
        ClassBuilder("com.example.later.Paid", "lib.Plain"),
    ]
    result = run(*classes, names=["com.example.Task"])
    expected = {"com.example.Task", "lib.Event", "lib.Plain", "com.example.later.Paid"}
    assert set(collect(load(result))) == expected
    assert "not included: 1 class of libraries" in result.err
    assert "as com.other.Placed, a subtype of lib.Plain; name those that are sent" in result.err


def test_command_reports_nothing_for_a_named_library(run: Run, load: Load) -> None:
    result = run(*redis(), names=["lib.api.Client"])
    assert "lib.RedisClient" not in result.err


def test_command_reports_classes_that_are_not_included(run: Run) -> None:
    service = ClassBuilder("com.example.Service").field("client", "Llib/api/Client;")
    result = run(service, *redis(), names=["com.example.**"], strict=True)
    assert result.err == (
        "pyredisson: not included: 1 class of libraries, neither Serializable nor a record or "
        "enum, such as lib.RedisClient, a subtype of lib.api.Client; name those that are sent\n"
        f"pyredisson: {result.output}: 2 classes\n"
    )


@pytest.mark.parametrize("number", [198, 199])
def test_warning_names_the_field_that_brings_many_classes(run: Run, number: int) -> None:
    names = [f"lib.part.P{each}" for each in range(number - 2)]
    core = ClassBuilder("lib.Core").field("few", "Llib/Few;")
    for name in names:
        core.field(f"p{name}".replace(".", "_"), f"L{name.replace('.', '/')};")
    classes = [
        ClassBuilder("com.example.Task").field("client", "Llib/Client;"),
        ClassBuilder("lib.Client").field("a", "Llib/Few;").field("core", "Llib/Core;"),
        ClassBuilder("lib.Few"),
        core,
        *map(ClassBuilder, names),
    ]
    result = run(*classes, names=["com.example.**"])
    warning = (
        "pyredisson: warning: 201 classes, 200 of them through com.example.Task.client -> "
        "lib.Client.core; name only classes that are sent, and make fields that are not sent "
        "transient\n"
    )
    assert (warning in result.err) == (number == 199)
    assert result.err.endswith(f": {number + 2} classes\n")


def test_warning_for_many_classes_of_the_application(run: Run) -> None:
    classes = [ClassBuilder(f"com.example.C{each}") for each in range(201)]
    result = run(*classes, names=["com.example.*"])
    assert "warning: 201 classes; name only classes that are sent" in result.err
