"""What the interop tests share: states laid byte by byte, recorded commands, both languages."""
