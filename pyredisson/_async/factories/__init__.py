"""The methods of a client that make objects: a module for each family of objects.

A family is a class that has the public methods with their docstrings and overloads. All that it
uses is `AsyncObjects`, which knows the client's settings and makes an object of any class.
No family uses another one, so each also works alone: `AsyncQueueFactories(objects)`.

The rule: a client loads the class of an object when the program first asks for one.

* `objects`: `AsyncObjects`. `queues`, `delayed`, `consumers`, `buckets`: the families.
"""
