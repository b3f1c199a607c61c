"""The bodies: one family for each kind of class. No family imports another."""
