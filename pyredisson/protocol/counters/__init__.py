"""The operations of RAtomicLong, RAtomicDouble and RIdGenerator: numbers as text in string keys.

* `atomic`: the operations that RAtomicLong and RAtomicDouble share.
* `atomic_long`, `atomic_double`: their numbers, and how they are changed.
* `id_generator`: blocks of ids.
"""
