"""Times and dates: how their parts are spelled (`clock`), and their bodies."""
