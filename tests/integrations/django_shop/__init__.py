"""A Django application with one model, for tests."""
