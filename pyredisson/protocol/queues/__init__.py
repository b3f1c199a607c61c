"""The operations of RQueue, RDeque and their blocking variants.

* `queue`: a plain list whose elements are the codec's bytes.
* `blocking_queue`: the blocking pops, one bounded slice at a time.
* `pause`: the key of a pause, during which no pyredisson consumer takes a message.
"""
