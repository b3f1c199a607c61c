"""Exceptions of `record_migration_vectors`: neither a table nor `Teller` knows the Python value.

The rule: each has the Python value for a codec and a Java expression, and the reason.
"""

from __future__ import annotations

__all__ = ["EXCEPTIONS"]

NOTED = "JavaObject('com.example.Noted', {'size': 2, '@data': [b'\\x00\\x00\\x00M', 'hi']})"
SEALED = "JavaObject('com.example.Sealed', {'@data': [b'\\x00\\x00\\x00\\x05', 'five']})"
TWO_NOTED = "list(new com.example.Noted(), new com.example.Noted())"
TWO_SEALED = "twice(new com.example.Sealed())"
RECENT = 'com.example.Recent.of("b", 1, "a", 2)'
RECENT_FIELDS = (
    "JavaObject('com.example.Recent', {'loadFactor': 0.75, 'threshold': 12, 'accessOrder': True, "
    "'@data': [b'\\x00\\x00\\x00\\x10\\x00\\x00\\x00\\x02', 'b', 1, 'a', 2]})"
)
SPARSE = "JavaObject('com.example.Hooks$Sparse', {'size': 3, '@data': ['a', 'b']})"
OWN = (
    "what the class's own method writes is no field: its source says 77 and hi, 5 and five, a and b"
)
CLOSED = "what the class's own method writes only the class can read: ! is a refusal by name"
# Values that neither the table nor `Teller` knows, by codec and expression.
EXCEPTIONS = {
    **{
        (codec, java): (python, OWN)
        for codec in ("SerializationCodec", "MarshallingCodec")
        for java, python in (
            ("new com.example.Noted()", NOTED),
            (TWO_NOTED, f"[{NOTED}, {NOTED}]"),
            ("new com.example.Sealed()", SEALED),
            (TWO_SEALED, f"[{SEALED}, {SEALED}]"),
            ("new com.example.Hooks.Sparse()", SPARSE),
        )
    },
    **{
        (codec, java): ("!", CLOSED)
        for codec in ("FstCodec", "KryoCodec")
        for java in (
            *("new com.example.Noted()", "new com.example.Sealed()"),
            *(TWO_NOTED, TWO_SEALED, "new com.example.Hooks.Sparse()"),
        )
    },
    **{
        (codec, 'fill(new HashMap<>(256), "channel", 1, "retry", 2, "coupon", 3)'): (
            'JMap("java.util.HashMap", {"channel": 1, "coupon": 3, "retry": 2})',
            "no HashMap that put alone filled: it is in another order",
        )
        for codec in ("SerializationCodec", "MarshallingCodec", "FstCodec", "KryoCodec")
    },
    **{
        (codec, RECENT): (python, "a class that extends a map: `Teller` says only what it contains")
        for codec, python in (
            ("SerializationCodec", RECENT_FIELDS),
            ("MarshallingCodec", RECENT_FIELDS),
            ("FstCodec", 'held(Recent, {"b": 1, "a": 2})'),
        )
    },
    **{
        ("FstCodec", f"new com.example.Hooks.{name}()"): ("!", CLOSED)
        for name in ("Written", "WrittenSub")
    },
    ("KryoCodec", "new java.sql.Timestamp(1700000000123L)"): (
        "JValue('java.sql.Timestamp', 1700000000123)",
        "Kryo writes milliseconds; the nanoseconds are lost",
    ),
}
