"""Why nothing arrives: examines a queue and its server, and names the repair of each problem.

The rule: it changes nothing, and reads a bounded number of elements, so that it may be used on a
queue in trouble. A question that the server rejects is itself a part of what it says.

* `diagnose`: runs all parts. `patient`: what they ask about, and `Diagnosis`, what they say.
* `flow`: overdue, no-transfer, paused, memory. `damage`: what `check` finds, on long queues in a
  sample. `clocks`: clock-skew. `values`: codec. `holders`: stuck-consumer.
* `servers`: memory, restricted-server, cross-slot. `permissions`: acl, with the table in `needs`.
"""
