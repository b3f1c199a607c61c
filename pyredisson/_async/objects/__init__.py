"""The base of all objects: a name in Redis, its codec and its client's context.

`AsyncExpirableObject` is the base of each object, `AsyncCollectionObject` of each that holds many
values. What to send is in `protocol/`, in the room of the same name.
"""
