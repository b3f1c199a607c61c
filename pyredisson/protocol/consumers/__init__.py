"""The operations of acknowledged consumption."""
