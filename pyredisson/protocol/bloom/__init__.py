"""The operations of RBloomFilter.

The rule: bit positions depend on the configuration, so each script compares it first, and its
caller reads it anew if it is another one.
"""
