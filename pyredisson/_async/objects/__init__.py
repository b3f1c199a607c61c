"""The base of all objects: a name in Redis, its codec and its client's context.

* `named_object`: runs operations on keys whose types are checked first.
* `expirable`: `AsyncExpirableObject`, the base of each object: expiry, rename, copy, delete.
* `collection`: `AsyncCollectionObject`, the base of each object that holds many values.
"""
