"""The operations of RRateLimiter, RSemaphore, RPermitExpirableSemaphore and RCountDownLatch.

The rule: a script that needs the time reads the server's clock, so a wrong clock of a client
changes no deadline.
"""
