"""The operations of maps: RMap, and RMapCache, whose scripts hide what has expired."""
