"""What the operations of several object families share.

* `keys`: RObject and RExpirable over all keys of one object: expire, rename, copy, delete.
* `collection`: objects that hold many values in an order.
* `encoding`: values become bytes by the codec, and not longer than is allowed.
"""
