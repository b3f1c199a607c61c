"""The operations of RBloomFilter.

The rule: the positions of a value's bits depend on the size and the hash iterations of the filter.
The client computes them. So the scripts that add or look for values first compare the client's two
numbers with the stored configuration. If one differs, the script does nothing, and the client reads
the configuration again.
"""
