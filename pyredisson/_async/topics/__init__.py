"""Topics: messages to all subscribers of that moment, in Java and in Python.

The idea: the background kernel fills a buffer for each listener, by default a bounded one
(`buffer`). The program, or a task that calls the listener's function, takes and decodes messages
(`messages`). So a slow listener delays no other listener.
The rule: a listener is notified if it has missed messages, or may have missed some.

* `topic`: RTopic, RShardedTopic. `pattern_topic`: RPatternTopic. `listening`: their listeners.
* `reliable_topic`, `reliable_messages`, `subscriber`: RReliableTopic, whose messages are stored.
"""
