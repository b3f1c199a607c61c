"""RLock and its kinds: locks that threads, tasks, processes and Java services share.

The idea: each acquisition has an owner of its own in Redis (`hold`), so every request can be
repeated. The client renews all locks of a server together (`renewals`). The rule: a holder that
has lost its lock is notified. A waiter polls at least once a second, also if messages are lost.
"""
