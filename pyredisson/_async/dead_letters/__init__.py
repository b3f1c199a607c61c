"""Dead letters: messages that are no longer delivered."""
