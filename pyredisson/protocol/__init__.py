"""The operations of every object as values, and every decision: no I/O, no clock, no randomness.

An operation is a `Command` or an `Eval` (`kernel.command`): the words to send, how to read the
reply, whether it may be sent twice, how long it may wait on the server, how to return what it
popped, and how to quarantine what cannot be decoded.  The shell sends it and gives the state
tables what happened; the tables decide.  `tests/unit/project/test_architecture.py` holds the
border.

`kernel` is shared by all. Each other room is one object family, with its Lua scripts in `lua/`;
the room of the same name in `_async/` runs its operations.  A script's header names KEYS, ARGV, the
reply and Redisson's method.  `kernel/lua/_prelude.lua` runs each script (`offer.lua` alone, which
is called most often, has these lines itself): `call(...)` sends a command, `undo(...)` says what to
undo when a later one fails, and `need(...)` checks a permission before the first write.
"""
