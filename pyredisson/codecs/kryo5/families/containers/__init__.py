"""Collections and maps: the JDK's, their views, and an application's subclasses of them."""
