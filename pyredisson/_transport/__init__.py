"""Connections: the only room that knows redis-py, and the sockets below it."""
