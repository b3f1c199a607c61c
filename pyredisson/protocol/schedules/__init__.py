"""Recurring work: its entries, and when it recurs.

* `schedule`: the operations; each change is one script that compares with what was read.
* `recurrence`: the next moment by cron expression or interval; it is given the time zone.
"""
