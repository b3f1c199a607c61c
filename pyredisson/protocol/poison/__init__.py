"""The operations on poison lists."""
