"""Recurring work."""
