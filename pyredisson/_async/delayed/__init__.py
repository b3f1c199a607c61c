"""RDelayedQueue: offers, pending items, batches of offers."""
