"""The operations of `check` and `repair`, and what they find."""
