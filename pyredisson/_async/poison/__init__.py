"""Poison lists: what could not be decoded."""
