"""What a client does by itself: jobs, and the channels that they hear.

A job says which channels it hears, what a message means to it, when it wants to run, and
what it does then. `AsyncJobs` runs them, those of one server one after the other and those
of several servers at the same time, over one subscription. The rule of every job: a message
is a hint, so what is missed costs time and nothing else.
"""
