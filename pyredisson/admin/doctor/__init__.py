"""Why no item arrives: examines a queue and its server, and names the repair of a problem.

The rule: it changes nothing, and reads a bounded number of elements. So an operator can use it on a
queue in trouble. A permission or a command that is missing for the examination is a finding, too.

* `diagnose`: runs all parts. `patient`: the examined queue, and `Diagnosis`, a finding.
* `flow`: overdue, no-transfer, paused, memory. `damage`: the findings of `check`, on long queues in
  a sample. `clocks`: clock-skew. `values`: codec. `holders`: stuck-consumer.
* `servers`: memory, restricted-server, cross-slot. `permissions`: acl, with the table in `needs`.
"""
