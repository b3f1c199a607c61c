"""Group windows."""
