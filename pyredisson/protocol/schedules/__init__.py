"""The operations of recurring work, and when it recurs."""
