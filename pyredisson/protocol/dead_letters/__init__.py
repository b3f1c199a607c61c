"""The operations on dead letters."""
