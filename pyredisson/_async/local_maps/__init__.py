"""RLocalCachedMap: a map whose values stay in the process until a client changes them.

The rules: a local copy, which is a value that the map object keeps, is used only while the map's
topic is subscribed. A value that was read becomes a copy only if no message about its key came
during the read (`copies`). A message that cannot be read drops all copies. A new subscription drops
them, too, by default; `reconnection_strategy` changes this.
"""
