"""The operations of group windows."""
