"""What all serializers of Kryo 5 stand on: bytes, class headers, type arguments, references.

`input` and `output` are the primitives, `reader` and `writer` one message on them;
`serializer` is the base of the families. The rule: nothing here knows a family.
"""
