"""Objects that programs wait for: RRateLimiter, RSemaphore and its kinds, RCountDownLatch."""
