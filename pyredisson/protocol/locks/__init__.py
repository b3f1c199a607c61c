"""The operations of locks: RLock and its kinds.

The rule: an owner is the owner of one acquisition and of no other, so each script may be sent again
after a lost reply. It says how many holds the owner shall have afterwards, not how many to add.
"""
