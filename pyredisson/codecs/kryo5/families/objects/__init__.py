"""Objects of an application's classes, and the layers that make them fast.

Serializers define the bytes: one method call per field, for every case. All other layers are
shortcuts for the common case. They read and write the same bytes in fewer calls::

    encode, decode
      fast path (1)            from the second message of a class on
        message codegen (2)      an object with nested objects, lists or maps
        bulk list (3)            a list of texts or of 32-bit numbers
        field group (4)          an object with only simple fields; a text
      slow path                the first message, and all that the fast path cannot do
        typed value (5)          a value whose class is not fixed by its position
        object codegen (6)       an object; its simple fields as field groups (4)
        serializer (7)           everything else

A layer that meets another case returns None or False: for a long or non-ASCII text, a wrong type, a
NaN, an early end. Then its caller uses a slower layer, which does the work or raises the error.
Generated code contains templates and names of attributes that are plain identifiers, never data.

1. Fast path (`FastPath` in `kryo5/codec.py`): a whole message. `encode` finds it by the value's
   type. `decode` tries only one: that of the last message whose class has one.
2. Message codegen (`message_codegen`, `message_templates`): one generated function reads the whole
   message, one writes it. It needs class headers with the same bytes in the same places in each
   message of the class. So each nested object, list and map must be of its expected class, and not
   null. It uses the templates of layer 4, and layers 3 and 5.
3. Bulk lists (`bulk_lists`): all elements in a few calls.
4. Field groups (`field_groups`): adjacent simple fields. One regular expression reads them, one
   generated function writes them.
5. Typed values: a text, number or boolean with its class header, in one call. `Reader.value` and
   `Writer.value` use `kernel/typed_scalars`, for example for the elements of a list of several
   classes. Layer 2 uses `typed_values`, for the values of a `Map<String, Object>`.
6. Object codegen (`object_codegen`): one generated function reads the body of an object, one writes
   it. They replace `ObjectSerializer.read` and `write` when the class is first used, unless the
   name of an attribute is not an identifier.
7. Serializers (`bodies`, `fields`, `records`, and the other families).

References mode has no layers 1, 2, 3 and 5, and only primitives are simple fields.

`field_templates` has the code for each kind of simple value: a regular expression, an expression
that makes the value, and lines that write it. Layers 2 and 4 compile it into functions; layer 5
uses the regular expressions. `kernel/varints` and `kernel/decimals` convert numbers.

How to add:

- A class of an application: nothing, a schema is enough.
- A class of the JDK: a row in `kryo5/jdk.py`, and a serializer in a family if none fits. The
  docstring of `jdk` lists the tables outside Kryo5 that may need the class, too.
- A kind of simple value: a `Form` for its serializer, and its kind in `PATTERNS`, `VALUES` and
  `WRITES` of `field_templates` (in `NULLABLE`, too, if the body encodes null). A pattern must match
  only what the serializer reads as well.

Then add values to a table in `interop/vectors`, record them, and run `benchmarks.codecs`.
"""
