"""Workers: they take messages, call a function with them, and settle them by its result.

The rule: a worker that was served once survives every error of its server until `give_up_after`.

* `worker`: takes a message when a handler is free; starts and ends the other parts.
* `arguments`: checks a worker's arguments. `handling`: calls the handler; `protocol/worker`
  decides the outcome. `tracker`: counts the outcome of each delivery once.
* `settlements`: settles messages, acknowledges many at a time, repeats what fails.
* `leases`: renews leases. `ending`: releases leased messages when the worker stops.
* `per_server`: one task for each server, for `settlements`, `leases` and `ending`.
* `outage`: which errors a worker survives, and how long. `supervised`: a worker in a web server.
"""
