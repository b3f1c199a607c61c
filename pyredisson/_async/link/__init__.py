"""The link: from an operation to its result, over the connections of one client.

`AsyncLink.request(operation)` is all that the rest of the house calls. Below it a
topology says which server has the key, a server has lanes, and a lane carries exchanges:
a request and its reply. What to do with an outcome is decided in `protocol/delivery`.
"""
