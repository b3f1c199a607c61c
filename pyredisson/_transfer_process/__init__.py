"""The transfer tasks of one client in a process of their own: `transfer_process=True`.

The rule: the child has no state that must survive it, so the parent may start another at any time.

* `parent`: starts the child, sends it the queues on its standard input, and reads its log records,
  hook events and statistics from its standard output.
* `child`: a client that transfers the due items of these queues until its standard input ends.
"""
