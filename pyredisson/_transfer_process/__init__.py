"""The transfer tasks of one client in a process of their own: `transfer_process=True`.

The rule: the child has no state that would be missed, so the parent may start another at any time.

* `parent`: starts the child, sends it the queues on its standard input, and reads from its
  standard output what it logs and has done.
* `child`: a client that transfers these queues until its input ends.
"""
