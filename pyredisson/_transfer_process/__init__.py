"""The transfer tasks of one client in a process of their own: the parent and the child."""
