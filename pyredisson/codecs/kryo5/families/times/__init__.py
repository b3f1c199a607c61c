"""Times and dates: the encoding of their parts (`clock`), and their bodies."""
