"""Workers: they take messages, hand them to a function, and settle what becomes of them."""
