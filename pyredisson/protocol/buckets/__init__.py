"""The operations of RBucket."""
