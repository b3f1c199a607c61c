"""Topics: messages to all subscribers of that moment, in Java and in Python.

The idea: each listener has a bounded buffer, which the kernel fills (`buffer`). Its program, or a
task that calls its function (`messages`), decodes and takes. So a slow listener delays no other.
The rule: whatever a listener did not receive is reported to it.

* `topic`: RTopic, RShardedTopic. `pattern_topic`: RPatternTopic. `listening`: their listeners.
"""
