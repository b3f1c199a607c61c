"""The operations of `check` and `repair`, and their findings.

* `check`: the problems of a queue, and their repair. `halves`: data that belongs together in two
  keys or fields, one of which a client deleted. `returned`: records of messages that were requeued
  with a delay, and of items that expire.
* `finding`: a problem of a key, with its kind, a count, examples and a text.
* `examine`: questions of the doctor. `stats`: the counts of a queue.
"""
