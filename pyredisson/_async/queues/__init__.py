"""RQueue, RDeque and their blocking variants."""
