"""The soak: producers and workers on a server that is tormented, and an account of every item.

What an actor does it notes in a file of its own, a line at a time, before and after the step; so
whatever ends it, the account knows what is certain. The rule: an item whose offer returned is
acknowledged, pending or dead in the end, or the soak has found a fault.
"""
