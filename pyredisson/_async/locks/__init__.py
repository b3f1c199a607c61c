"""RLock and its kinds: locks that threads, tasks, processes and Java services share.

The idea: each acquisition is an owner of its own (`hold`), so every request can be repeated. The
client renews all locks of a server together (`renewals`). The rule: a holder whose lock is gone is
notified, and a waiter polls at least once a second, whatever messages are lost.
"""
