"""What differs between threads and asyncio, as twin names, and how user code is called."""
