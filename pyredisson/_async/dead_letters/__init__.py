"""Dead letters: messages that nobody handles any more."""
