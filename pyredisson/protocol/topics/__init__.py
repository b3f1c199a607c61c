"""The operations and messages of topics."""
