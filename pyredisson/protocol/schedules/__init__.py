"""Recurring work: its entries, and when it recurs.

* `schedule`: the operations; each change is one script that compares the entry with the one read.
* `recurrence`: the next moment by cron expression or interval; the caller passes the time zone.
"""
