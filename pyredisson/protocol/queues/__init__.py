"""The operations of RQueue, RDeque and their blocking variants."""
