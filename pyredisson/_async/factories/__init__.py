"""The factories of a client: its `get_...` methods, one module for each family of objects.

A family is a class with the public methods, their docstrings and overloads. It only uses
`AsyncObjects`, which has the client's settings and makes an object of any class. No family uses
another one, so each also works alone: `AsyncQueueFactories(objects)`.

The rule: the class of an object is imported when the program first asks for such an object.

* `objects`: `AsyncObjects`. All others: the families.
"""
