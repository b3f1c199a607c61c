"""Consumers that acknowledge, their messages, and how messages are settled."""
