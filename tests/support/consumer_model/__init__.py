"""A model of the consumer protocol, which hypothesis runs with real servers."""
