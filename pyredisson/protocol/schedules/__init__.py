"""Recurring work: its entries, and when it recurs.

* `schedule`: the operations. Each change is one script, which does nothing if the stored entry is
  not the entry that was read.
* `recurrence`: the occurrences to offer, and intervals.
* `cron`: cron expressions; the caller passes the time zone.
"""
