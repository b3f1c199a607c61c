"""Waits on one or several servers, in slices, and nodes that do not answer."""
