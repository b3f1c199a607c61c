"""RLocalCachedMap: a map whose values stay in the process until a client changes them.

The rules: a copy is used only while the subscription of the map's topic is up, and a value that was
read is kept only if no message about its key came meanwhile (`copies`). A message that cannot be
read, and a new subscription, drop everything.
"""
