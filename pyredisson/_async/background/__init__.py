"""What a client does by itself: jobs, and the channels that they listen to.

A job names its channels, reads their messages, returns when it wants to run, and runs. The rule of
every job: a message is a hint, so a lost one costs time and nothing else. The jobs of one server
run one after the other, those of several servers at the same time, so a frozen node delays only its
own; one subscription serves all. Many idle delayed queues are checked together, by one script for
up to 500 of them.

A client without delayed queues starts no thread or task, unless Sentinels name its master: then
one, with a connection to listen at a Sentinel and one to ask each, watches from the first call on.
The first object that transfers, or keeps recurring work going, starts two: the subscription and the
runner of the jobs; in a cluster one runner for each master that has any. They never keep a process
alive, they end with the client, and they start again after a fork. While a `poll_from_any` in a
cluster waits, each slot has a thread or task and a connection of its own.

* `jobs`: runs jobs. `channels`: the subscription.
* `transfers`: the transfer tasks, one job a delayed queue. `remains`: what such a task cleans up:
  what consumers left, expired items, dedup keys.
* `schedules`, `schedule_job`: recurring work, one job a queue.
"""
