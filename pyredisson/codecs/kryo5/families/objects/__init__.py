"""Objects of an application's classes, and the layers that make them fast.

All layers write and read the same bytes. A layer knows the common case only. Where it meets
anything else (a long or non-ASCII text, a wrong type, a NaN, an early end) it returns None or
False, and the next slower layer does the work and raises the error. Generated code contains
templates and names of attributes that are plain identifiers, never data.

From the fastest to the slowest:

1. `codec.FastPath` (in `kryo5/codec.py`): the fast path of a whole message. `encode` finds it by
   the value's type, `decode` tries the one of the last message. Used from the second message of
   a class on; it calls layer 2, 3 or 4.
2. Message codegen (`message_codegen`, with `message_templates`): one generated function reads and
   one writes the whole message of a class, nested objects included. Used if all values are of
   their declared classes, so that class headers stand in the same places with the same bytes.
3. Bulk lists (`bulk_lists`): lists of short texts or of 32-bit numbers in a few calls. Used by
   layer 2, and for a message that is such a list.
4. Field groups (`field_groups`): adjacent simple fields of a class. One regular expression reads
   them, one function writes them. Used by layers 2, 5 and 7.
5. Object codegen (`object_codegen`): one generated function reads and one writes the body of an
   object. They replace the methods `read` and `write` of `ObjectSerializer` when the class is
   first used, unless a name is not an identifier.
6. Typed values (`typed_values`, `kernel/typed_scalars`): a text, number or boolean together with
   its class header, in one call. Used for `Object` fields and for values of a
   `Map<String, Object>`.
7. Serializers (`bodies`, `fields`, `records`): field by field, value by value. They know every case
and raise the errors of values.

Below these, `field_templates` has the regular expression, the expression and the lines of code
for each kind of simple value; layers 2, 4 and 6 compile their functions from it. The tables of
`kernel/varints` and `kernel/decimals` convert numbers.

To add an application's class: nothing, a schema is enough.

To add a JDK class to Kryo5: a row in `kryo5/jdk.py`, and a serializer in a family if none fits.
That module's docstring lists the tables outside Kryo5 that may need the class, too.

To make a simple type fast: give its serializer a `Form`, and add its kind to `PATTERNS`, `VALUES`
and `WRITES` in `field_templates`. A pattern may only match what the serializer reads as well.

Add the values to a table in `interop/vectors`, record them, and run `benchmarks.codecs`.
"""
