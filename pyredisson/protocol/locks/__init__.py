"""The operations of RLock, RFencedLock, RFairLock, RReadWriteLock and RSpinLock.

The rule: each owner belongs to one acquisition only, and a script gets the number of holds that the
owner shall have afterwards, not a number to add. So it does no harm if a script with an owner is
sent again after a lost reply.
"""
