"""The soak: producers and workers on a server with faults, and an account of every item.

An actor notes each step in a file of its own, a line at a time, before and after the step. So,
whatever ends the actor, the account knows what is certain. The rule: an item whose offer returned
is acknowledged, pending or dead in the end, or the soak has found a fault.
"""
