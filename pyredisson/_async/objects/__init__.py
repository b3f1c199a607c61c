"""The base classes of all objects: a name in Redis, a codec and the context of a client.

The rule: an object is cheap and only knows its names. Connections and jobs belong to the client.

* `named_object`: `AsyncNamedObject` runs operations, after a check of the keys' types.
* `expirable`: `AsyncExpirableObject` adds expiry, rename, copy and delete, for most objects.
* `collection`: the bases of objects with many values: `AsyncValuesObject`; `AsyncOrderedObject` for
  values in an order; `AsyncCollectionObject` for queues.
"""
