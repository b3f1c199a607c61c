"""What the operations of all objects are made of: commands, scripts, names, replies, tables."""
