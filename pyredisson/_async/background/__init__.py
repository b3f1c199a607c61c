"""The background kernel: runs the periodic jobs and channel listeners of one client.

`AsyncBackground` (`kernel`) runs them. There are two base classes (`interfaces`), and a class may
inherit from both:

* `AsyncPeriodicJob`: `wait_seconds()` returns the seconds until its next run, and `run(link)` runs
  the job once. Jobs whose keys are on one server run one after the other. Jobs of several servers
  run at the same time (`job_worker`). If a run loses its server, `skipped()` is called on the other
  due jobs of this server. Urgent jobs, which set `here`, have a separate worker at each server.
* `AsyncChannelListener`: its attribute `channels` names its channels. It is notified of each
  message, and of each new subscription of a channel, also after an outage. All listeners of a
  channel share one subscription (`subscriptions`, `channels`, `unanswered`). With `sharded` a
  listener receives the messages of SPUBLISH in a cluster (`sharded_channels`). On servers without
  sharded pub/sub its channels are ordinary channels, unless the listener is `only_sharded`. With
  `patterns` its channels are patterns (`pattern_channels`).

A user of background work calls `acquire(key, make)`, and calls `release(key)` when the work is no
longer needed. The kernel counts the users of each key: the first user starts the work, the last one
ends it. (Only `TransferProcess` counts its users itself, because its work is in another process.)
If an event makes a job due earlier, call `plan(job)`, which calls `wait_seconds()` again.

The rules for all work:

* A message is a hint and can be lost. So a job must also run from time to time without a message.
* An outage is logged when it begins and when it ends: a lost server once for all its jobs, any
  other error of `run` once for its job. If a job fails and `wait_seconds()` still returns 0, the
  kernel makes the job rest for a while.
* Nothing is started before it is needed. `ensure_running()` starts everything: at the first use, in
  a forked child, and in another event loop. Each operation of an object calls it
  (`context.ensure_running`).
* Work with `inherited = False` belongs to the process and the event loop that acquired it. A forked
  child, or another loop, removes such work before it starts anything. Urgent jobs continue in their
  loop while another loop uses the client.

Each delayed queue has one job, its transfer task (`transfers`, `transfer_task`). The job also
requeues messages of crashed consumers, removes expired items, and deletes unused dedup keys
(`cleanup`). One script checks up to 500 idle delayed queues. Each queue with recurring work has
another job (`schedules`, `schedule_job`).

A client without background work starts no thread or task, unless Sentinels name its master. In that
case, one thread or task watches the Sentinels from the first call on. The client then has a
connection that listens at one Sentinel, and connections to the Sentinels for requests. The first
object that transfers, or advances recurring work, starts two threads or tasks: one for the
subscription, one as the worker of the jobs. In a cluster each master with jobs has a worker. Held
locks have a separate worker at each server. No such thread or task keeps a process alive, and all
end with the client. After a fork, the work with `inherited = True` starts again. While a
`poll_from_any` in a cluster waits, each slot has a thread or task and a connection of its own.

How a lock would use it
-----------------------

A held lock must be renewed (Redisson's watchdog renews its lease of 30 s every 10 s). Its owner is
`context.identity.owner()`: the client's UUID and the number of the thread or task, in Redisson's
format. This job is the watchdog::

    class AsyncLockWatchdog(AsyncPeriodicJob):
        inherited = False  # the owner is a thread or task of this process

        def __init__(self, protocol, owner, lease_seconds):
            self.key = protocol.name  # decides the server
            self.here = surroundings_async()  # no other job of the server delays it
            self._protocol, self._owner, self._lease = protocol, owner, lease_seconds
            self._renew_at = monotonic() + lease_seconds / 3

        def wait_seconds(self):
            return max(self._renew_at - monotonic(), 0.0)

        async def run(self, link):
            self._renew_at = monotonic() + self._lease / 3  # also if this run fails
            if not await link.request(self._protocol.renew(self._owner, self._lease)):
                self._renew_at = math.inf  # another owner has it, or it was deleted

        def skipped(self):
            self._renew_at = monotonic() + 1.0  # the server is lost: try again soon

    key = (name, owner)
    background.acquire(key, partial(AsyncLockWatchdog, protocol, owner, 30.0))  # after LOCK
    background.release(key)  # before UNLOCK

A reentrant lock acquires the same key again, and the watchdog ends with the last `unlock`. The real
locks of a client share one job at each server (`locks/renewals`), because it takes longer to start
and end a job than to acquire a lock.

A caller that waits for a lock listens to the lock's channel, on which each `unlock` publishes.
`wait_async` (`wake_ups`) is this wait. It makes an attempt before it subscribes, after each
subscription, when a message wakes the caller, when the lease of the holder ends, at least once a
second, and at the deadline::

    async def attempt():
        ttl_ms = await link.request(protocol.lock(owner, lease))
        if ttl_ms is None:
            return None  # locked
        return ttl_ms / 1000 if ttl_ms >= 0 else math.inf  # -1: the holder has no lease

    locked = await wait_async(background, channel, attempt, timeout, woken=lambda payload: 1)

All callers of one client that wait for the same lock share one subscription, and one message wakes
one of them.
"""
