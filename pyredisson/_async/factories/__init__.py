"""What a client makes: `get_queue` and the like, by family."""
