"""Helpers of the tests: real servers, proxies with faults, and checks of keys and commands.

Rule: a helper that checks keys or commands does not import the library: it would share its bugs.
"""
