"""The operations of locks: RLock and its kinds.

The rule: each owner belongs to one acquisition only, and a script gets the number of holds that the
owner shall have afterwards, not a number to add. So each script that names an owner may be sent
again after a lost reply.
"""
