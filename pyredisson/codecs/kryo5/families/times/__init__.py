"""Times and dates: their bodies (`bodies`), and the encoding of their parts (`clock`)."""
