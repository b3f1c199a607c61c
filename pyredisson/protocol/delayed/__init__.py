"""RDelayedQueue's operations, its entries, receipts, and when to transfer."""
