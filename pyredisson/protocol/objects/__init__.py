"""The operations that several object families share.

* `expirable`: RObject and RExpirable over all keys of one object: expire, rename, copy, delete.
* `collection`: objects with many values, with or without an order.
* `pages`: pages of lists and sorted sets that other clients change at the same time.
* `encoding`: encodes values with the codec, and enforces a maximum length.
"""
