"""Channel listeners that record the messages that they receive."""

from pyredisson._async.background.interfaces import AsyncChannelListener


class AsyncHearer(AsyncChannelListener):
    """Records subscriptions and messages."""

    def __init__(self, *channels: str) -> None:
        self.channels = channels
        self.subscribed: list[str] = []
        self.messages: list[tuple[str, bytes]] = []

    def on_subscribed(self, channel: str) -> None:
        self.subscribed.append(channel)

    def on_message(self, channel: str, payload: bytes) -> None:
        self.messages.append((channel, payload))


class AsyncShardHearer(AsyncHearer):
    """Receives messages of SPUBLISH."""

    sharded = True
