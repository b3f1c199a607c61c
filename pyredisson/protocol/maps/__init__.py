"""The operations of RMap and RMapCache. The scripts of RMapCache hide expired entries."""
