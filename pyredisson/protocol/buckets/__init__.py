"""RBucket's operations."""
