"""What is said to Redis, without saying it: no I/O, no clock, no randomness.

The life of one delayed item, and the module that knows each step:

1. ``offer(value, delay)``: the codec encodes the value; `due` turns the delay and the
   server's time (`clock`) into a score; `member` packs id and value.
2. `delayed_queue` says how to store it: `lua/delayed_offer.lua` adds the member to the
   timeout set (score: when it is due) and to the delay list (the order of the offers),
   under the names that `names` derives, and publishes the score when it is the earliest.
3. `transfer` decides when somebody looks again, and `lua/transfer.lua` moves what is due
   to the target list.
4. `queue` and `blocking` say how a consumer takes it there, and `replies` how it is read.

Everything is a value (`command`): the words to send, how to read the reply,
whether it may be sent twice.  `cluster` knows which node to send it to.
"""
