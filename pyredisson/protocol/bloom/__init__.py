"""The operations of RBloomFilter.

The rule: bit positions depend on the configuration. So the scripts that add and look for values
first compare it with the caller's. If it differs, they do nothing, and the caller reads it again.
"""
