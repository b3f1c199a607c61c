"""`pyredisson schema` on getters, annotations and methods of serialization."""

from __future__ import annotations

from pyredisson.java.schema import java_class, java_enum
from pyredisson.java.schemas import collect
from tests.schema_command.support import LIST, STRING, Load, Run, color, line, schema, task
from tests.unit.classfile.assembler import (
    ABSTRACT,
    BRIDGE,
    INTERFACE,
    JSON,
    PRIVATE,
    PUBLIC,
    STATIC,
    ClassBuilder,
    note,
)


def bean() -> ClassBuilder:
    builder = ClassBuilder(
        "a.Bean", interfaces=["a.Named", "a.Named", "java.util.function.Supplier"]
    )
    builder.annotate(
        note(f"{JSON}JsonIgnoreProperties;", value=["hidden"]),
        note(f"{JSON}JsonTypeInfo;"),
        note("Llombok/Data;"),
    )
    builder.field("seen", "Z").getter("isSeen", "Z", "seen")
    builder.field("total", "J").method("getTotal", "()I")
    builder.field("hidden", "I").field("alone", "I").field("open", "I", PUBLIC)
    builder.field("old", "I", notes=[note(f"{JSON}JsonProperty;", value="new")])
    builder.field("bare", "I", notes=[note("Ltools/jackson/annotation/JsonProperty;")])
    builder.field("away", "I", notes=[note(f"{JSON}JsonIgnore;")])
    builder.field("kept", "I", PUBLIC, notes=[note(f"{JSON}JsonIgnore;", value=False)])
    builder.field("bySetter", "I").method(
        "setBySetter", "(I)V", notes=[note(f"{JSON}JsonProperty;", value="set")]
    )
    builder.field("byGetter", "I").method("getByGetter", "()I", notes=[note(f"{JSON}JsonIgnore;")])
    builder.getter("isFinished", "Z", "seen").getter("getURL", STRING, "gone")
    builder.method("isText", f"(){STRING}").method("is", "()Z").method("get", "()I")
    builder.method("getting", "()I").method("getClass", "()Ljava/lang/Class;")
    builder.method("getNothing", "()V").method("getWith", "(I)I").method("plain", "()I")
    builder.method("getStatic", "()I", PUBLIC | STATIC).method("getPrivate", "()I", PRIVATE)
    builder.method("getBridge", "()I", PUBLIC | BRIDGE).method("isNow", "()Ljava/lang/Boolean;")
    builder.method("getList", f"(){LIST}", signature="()Ljava/util/List<Ljava/lang/String;>;")
    builder.method("isLeftOut", "()Z", notes=[note(f"{JSON}JsonIgnore;")])
    builder.method("computed", "()I", notes=[note(f"{JSON}JsonGetter;", value="sum")])
    builder.method("nothing", "()V", notes=[note(f"{JSON}JsonProperty;")])
    return builder.method("setFormat", "(I)V", notes=[note(f"{JSON}JsonFormat;")])


def named() -> ClassBuilder:
    builder = ClassBuilder("a.Named", flags=INTERFACE | ABSTRACT)
    return builder.method("isDefault", "()Z").method("isAbstract", "()Z", PUBLIC | ABSTRACT)


def test_schema_keeps_getters_that_differ_from_fields(run: Run, load: Load) -> None:
    """A getter has a body if the class file contains what it returns."""
    module = load(run(bean(), named(), names=["a.Bean"]))
    found = schema(module.Bean)
    assert {each.attribute: str(each.type) for each in found.getters} == {
        "computed": "int",
        "getList": "java.util.List<java.lang.String>",
        "getTotal": "int",
        "getURL": "java.lang.String",
        "isDefault": "boolean",
        "isFinished": "boolean",
        "isNow": "java.lang.Boolean",
    }
    assert {each.attribute: each.json for each in found.getters if each.json} == {"computed": "sum"}
    made = module.Bean(seen=True)
    assert made.isFinished is True
    for name in ("getList", "getURL", "getTotal", "isDefault", "isNow"):
        assert not hasattr(made, name)


def test_fields_in_json(run: Run, load: Load) -> None:
    found = schema(load(run(bean(), named(), names=["a.Bean"])).Bean)
    assert {each.name: each.json for each in found.fields if each.json} == {
        "old": "new",
        "bare": "bare",
        "bySetter": "set",
    }
    assert {each.name for each in found.fields if each.json_ignore} == {
        "hidden",
        "away",
        "byGetter",
    }
    assert {each.name for each in found.fields if not each.public} == {"alone"}


def test_schema_notes_annotations_that_it_cannot_contain(run: Run) -> None:
    notes = [
        each for each in run(bean(), named(), names=["a.Bean"]).text.splitlines() if "#" in each
    ]
    assert notes == [
        "# Note: a schema cannot contain @JsonTypeInfo",
        "# Note: a schema cannot contain @JsonFormat on setFormat()",
    ]


def test_no_json_leaves_out_what_is_for_json(run: Run, load: Load) -> None:
    result = run(bean(), named(), names=["a.Bean", "--no-json"])
    assert "JavaField" not in result.output.read_text("utf-8")
    assert "#" not in result.text
    assert schema(load(result).Bean).getters == ()


def test_a_getter_returns_a_field_of_the_superclass(run: Run, load: Load) -> None:
    base = ClassBuilder("a.Base").field("class", "Z", PUBLIC)
    sub = ClassBuilder("a.Sub", "a.Base").getter("isReady", "Z", "class")
    module = load(run(base, sub, names=["a.Sub"]))
    assert module.Sub(class_=True).isReady is True


def test_a_class_of_getters_alone(run: Run, load: Load) -> None:
    base = ClassBuilder("a.Base").field("up", "Z", PUBLIC)
    sub = ClassBuilder("a.Sub", "a.Base").getter("isReady", "Z", "up").getter("isUp", "Z", "up")
    result = run(base, sub, names=["a.Sub"])
    assert "class Sub(Base):\n    @property\n    def isReady(self) -> bool:\n" in result.text
    assert load(result).Sub(up=True).isUp is True


def test_a_class_without_a_superclass(run: Run) -> None:
    assert "class Root:\n" in run(ClassBuilder("a.Root", None), names=["a.Root"]).text


def test_serialization_methods_of_its_own(run: Run, load: Load) -> None:
    own = ClassBuilder("a.Own", interfaces=["com.esotericsoftware.kryo.KryoSerializable"])
    stream = "(Ljava/io/ObjectInputStream;)V", "(Ljava/io/ObjectOutputStream;)V"
    hooks = ClassBuilder("a.Hooks", interfaces=["java.io.Serializable"])
    hooks.method("readObject", stream[0], PRIVATE).method("writeObject", stream[1], PRIVATE)
    hooks.method("readResolve", "()Ljava/lang/Object;", PUBLIC)
    alike = ClassBuilder("a.Alike", interfaces=["java.io.Serializable"])
    alike.method("writeObject", "(I)V", PRIVATE).method("readObject", stream[0], PUBLIC)
    alike.method("writeReplace", "()Ljava/lang/Object;", PUBLIC | STATIC)
    plain = ClassBuilder("a.Plain").method("writeObject", stream[1], PRIVATE)
    outside = ClassBuilder("a.Outside", interfaces=["java.io.Externalizable"])
    outside.method("writeExternal", "(Ljava/io/ObjectOutput;)V", PUBLIC)
    assert (
        "# Note: it implements com.esotericsoftware.kryo.KryoSerializable: the Kryo codecs write"
        in (run(own, names=["a.Own"]).text)
    )
    module = load(run(hooks, alike, plain, outside, names=["**"]))
    assert {name: each.own_serialization for name, each in collect(module).items()} == {
        "a.Hooks": ("writeObject", "readObject", "readResolve"),
        "a.Alike": (),
        "a.Plain": (),
        "a.Outside": ("writeExternal",),
    }


def test_serial_version_uid(run: Run, load: Load) -> None:
    other = ClassBuilder("a.Other").field("serialVersionUID", "J", STATIC)
    field = ClassBuilder("a.Field").field("serialVersionUID", "J", PUBLIC)
    module = load(run(task(), line(), color(), other, field, names=["**"]))
    found = {name: each.serial_version_uid for name, each in collect(module).items()}
    assert found["com.example.OrderTask"] == 42
    assert found["a.Other"] is None
    assert found["a.Field"] is None


def test_generated_class_may_be_registered_again_with_more(run: Run, load: Load) -> None:
    """The docs describe this for a module of one's own."""
    module = load(run(task(), line(), color(), names=["com.example.OrderTask"]))
    java_enum("com.example.Color", text={"RED": "rot"})(module.Color)
    assert schema(module.Color).constants[0].text == "rot"
    java_class("com.example.OrderTask", final=True)(module.OrderTask)
    assert schema(module.OrderTask).final


def test_names_that_differ_in_capitals(run: Run, load: Load) -> None:
    """Jackson 3 sees one property and Jackson 2 sees two, so annotations stay with the getter."""
    builder = ClassBuilder("a.Link")
    for name, getter in (("URL", "getURL"), ("xPos", "getXPos"), ("ID", "getId")):
        builder.field(name, STRING, PRIVATE).getter(getter, STRING, name)
    builder.field("url", STRING, PRIVATE).field("isUp", "Z", PRIVATE).getter("isUp", "Z", "isUp")
    builder.field("SSL", "Z", PRIVATE).getter("isSSL", "Z", "SSL")
    builder.field("QR", "I", PRIVATE).method("getQR", "()I", notes=[note(f"{JSON}JsonIgnore;")])
    builder.field("PIN", "I", PRIVATE)
    builder.method("getPIN", "()I", notes=[note(f"{JSON}JsonProperty;", value="pin")])
    builder.method("get_x", "()I").method("issue", "()Z")
    found = schema(load(run(builder, names=["a.Link"])).Link)
    assert {
        each.attribute: (each.json, each.json_ignore, each.returns) for each in found.getters
    } == {
        "getPIN": ("pin", False, None),
        "getQR": (None, True, None),
        "isSSL": (None, False, "SSL"),
        "isUp": (None, False, "isUp"),
        "issue": (None, False, None),
    }
    hidden = {each.name for each in found.fields if not each.public}
    assert hidden == {"url", "isUp", "QR", "PIN"}
    assert not any(each.json or each.json_ignore for each in found.fields)
