"""The base of all serializers of Kryo 5: bytes, class headers, type arguments, references.

`input` and `output` have the primitives, `reader` and `writer` a whole message; `serializer` is the
base class of the families. Nothing here imports a family.
"""
