"""The operations of `check` and `repair`, and what they find.

* `check`: what is wrong with a queue, and its repair. `halves`: keys of which somebody deleted a
  part. `returned`: records of messages that came back, or of items that expire.
* `finding`: a kind, a key, a count, examples and a text.
"""
