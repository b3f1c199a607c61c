"""Workers: they take messages, call a function with them, and settle them by the function's result.

The rule: after its first successful take, a worker survives each error of its servers, until no
take has succeeded for `give_up_after`. Only a redis-py client of the wrong class ends it at once
(see `outage`). Errors of settlements and of lease renewals never end a worker.

* `worker`: takes a message when a handler is free; starts and ends the other parts.
* `arguments`: checks a worker's arguments. `handling`: calls the handler; `protocol/worker`
  decides the outcome. `tracker`: counts the outcome of each delivery once.
* `carried`: reads the bytes that hooks of producers stored for the messages.
* `settlements`: settles messages, acknowledges many at a time, repeats failed settlements.
* `leases`: renews leases. `ending`: releases leased messages when the worker stops.
* `per_server`: one task for each server, for `settlements`, `leases` and `ending`.
* `outage`: decides which errors of a take a worker survives, and how long.
* `supervised`: runs a worker in a web server.
"""
