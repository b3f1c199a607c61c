"""The operations of `check` and `repair`, and their findings.

* `check`: the problems of a queue, and their repair. `halves`: data that two keys or fields store,
  of which a client deleted one. `returned`: records of requeued messages, or of items that expire.
* `finding`: a kind, a key, a count, examples and a text.
* `examine`: questions of the doctor. `stats`: the counts of a queue.
"""
