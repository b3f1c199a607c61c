"""Topics: messages to all subscribers of that moment, in Java and in Python.

The idea: the background kernel fills a bounded buffer for each listener (`buffer`). The program, or
a task that calls the listener's function, takes and decodes messages (`messages`). So a slow
listener delays no other listener.
The rule: a listener is notified if it may have missed messages.

* `topic`: RTopic, RShardedTopic. `pattern_topic`: RPatternTopic. `listening`: their listeners.
* `reliable_topic`, `reliable_messages`, `subscriber`: RReliableTopic, whose messages are stored.
"""
