"""Poison lists: values that could not be decoded."""
