"""Helpers of the interop tests: states laid byte by byte, recorded commands, both languages."""
