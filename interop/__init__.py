"""A real Redisson beside the library: the peer program, how it is built and started, the tests."""
