"""RLocalCachedMap: a map whose values stay in the process until a client changes them.

The rules: a local copy is a value that the map object keeps. By default, copies are used only while
the map's topic is subscribed, and a new subscription drops all copies; `reconnection_strategy` can
change both. A value that was read becomes a copy only if no message about its key came during the
read (`copies`). A message that cannot be read drops all copies.
"""
