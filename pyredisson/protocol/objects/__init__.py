"""The operations that several object families share.

* `keys`: RObject and RExpirable over all keys of one object: expire, rename, copy, delete.
* `collection`: objects that hold many values in an order.
* `pages`: pages of lists and sorted sets that other clients change at the same time.
* `encoding`: encodes values with the codec, and enforces a maximum length.
"""
