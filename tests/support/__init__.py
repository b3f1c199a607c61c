"""What the tests stand on: real servers, a proxy that makes faults, eyes on keys and commands.

Nothing here imports the library: a helper that shared its code would share its mistakes.
"""
