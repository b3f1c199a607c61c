"""A model of the consumer protocol, for hypothesis to explore against real servers."""
