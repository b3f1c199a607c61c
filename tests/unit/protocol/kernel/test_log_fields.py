"""The fields of log lines."""

import logging
from types import SimpleNamespace

from pyredisson.protocol.kernel.log_fields import FIELDS, about


def test_fields_of_a_log_line() -> None:
    consumer = SimpleNamespace(consumer_name="me")
    message = SimpleNamespace(id="abc", attempt=2, consumer=consumer)
    assert about("q") == {"queue": "q"}
    fields = {"queue": "q", "message_id": "abc", "attempt": 2, "consumer": "me"}
    assert about("q", message) == fields
    assert set(fields) == set(FIELDS)


def test_no_field_is_what_a_record_has_already() -> None:
    """`logging` rejects an `extra` with such a field."""
    record = logging.makeLogRecord({})
    assert not set(FIELDS) & {*vars(record), "message", "asctime"}
