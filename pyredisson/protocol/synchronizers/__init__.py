"""The operations of synchronizers: RRateLimiter, RSemaphore and its kinds, RCountDownLatch.

The rule: a script reads the server's clock, so a wrong clock of a client moves no deadline.
"""
