"""Workers: they take messages, hand them to a function, and settle what becomes of them.

The rule: a worker that has worked outlives whatever its server answers.

* `worker`: takes a message when a handler is free; starts and ends the others.
* `arguments`: checks what a worker is given. `handling`: calls the handler; `protocol/worker`
  decides. `accounts`: counts each delivery once.
* `settlements`: settles messages, acknowledges many at a time, repeats what fails.
* `leases`: renews leases.
  `ending`: returns what is leased. `beside`: one task a server for these three.
* `outage`: what a worker outlives, and when it gives up. `supervised`: a worker in a web server.
"""
