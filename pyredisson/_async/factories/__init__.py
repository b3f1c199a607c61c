"""The factories of a client: its `get_...` methods, one module for each family of objects.

A family is a class with the public methods, their docstrings and overloads. The class uses only
`AsyncObjects`, which has the client's settings and makes an object of any class. Families do not
use each other: each family also works alone, as in `AsyncQueueFactories(objects)`.

The rule: the class of an object is imported when the program first asks for such an object.

* `objects`: `AsyncObjects`. All others: the families.
"""
