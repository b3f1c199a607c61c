"""The operations of every object as values, and every decision: no I/O, no clock, no randomness.

An operation is a `Command` or an `Eval` (`kernel.command`). It has the words to send, how to read
the reply, whether it may be sent twice, how long it may wait on the server, how to return what it
popped, and how to quarantine what cannot be decoded.  The shell sends it and passes the outcome to
the state tables, which decide.  `tests/unit/project/test_architecture.py` enforces the border.

All rooms use `kernel`. Each other room is one object family, with its Lua scripts in `lua/`; the
room of the same name in `_async/` runs its operations.  A script's header describes KEYS, ARGV, the
reply and Redisson's method.  `kernel/lua/_prelude.lua` runs each script: `call(...)` sends a
command, `undo(...)` registers the command that reverts it if a later one fails, and `need(...)`
checks a permission before the first write.  The scripts of plain offers, which run most often,
have no prelude (``frame: none``) and do this themselves.
"""
