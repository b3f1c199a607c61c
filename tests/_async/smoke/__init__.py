"""The smoke run: every feature once, against any server."""
