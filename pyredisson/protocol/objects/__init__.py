"""The operations of each kind of object, as values: what Redisson sends for it.

A module an object, and a folder of `protocol/lua/` where it needs scripts.
"""
