"""Times and dates: how their parts are encoded (`clock`), and their bodies."""
