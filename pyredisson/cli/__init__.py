"""The command line.

`main` is the entry point. `transfer`, `check` and `schema` (`basic`) need only the standard
library. The other commands (`verbs`, `app`) need click and rich. `clients` makes the client that
`server_options` and the environment describe, `options` has what the commands share, and `output`
prints. What a command finds comes from `pyredisson.admin`.
"""
