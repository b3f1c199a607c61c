"""Schedules of recurring work: their operations, and the times of the work.

* `schedule`: the operations. Each change is one script, which does nothing if the stored entry is
  not the entry that was read.
* `recurrence`: the occurrences to offer, and intervals.
* `cron`: the occurrences of cron expressions; the caller passes the time zone.
"""
