"""The outcome of a message after its handler has returned or raised, and the hooks."""
