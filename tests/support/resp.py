"""Cuts a stream of server bytes into whole replies, RESP2 and RESP3, without decoding them.

A reply is one value; an aggregate's header contains the number of its values. So the only state is
the number of values that are still missing. Rule: ``b"".join`` of the frames is the
stream.
"""

_PAYLOAD = b"$=!"  # bulk string, verbatim string, bulk error: a length, then that many bytes
_AGGREGATE = {b"*": 1, b"~": 1, b">": 1, b"%": 2, b"|": 2}  # values per counted element


class FrameSplitter:
    r"""Takes chunks of any length, and returns whole frames.

    >>> FrameSplitter().feed(b"+OK\r\n*2\r\n:1\r\n$1\r\na\r\n:")
    [b'+OK\r\n', b'*2\r\n:1\r\n$1\r\na\r\n']
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._position = 0
        self._missing = 1

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the frames that ``chunk`` completes, oldest first."""
        self._buffer += chunk
        frames = []
        while self._take_value():
            if self._missing == 0:
                frames.append(bytes(self._buffer[: self._position]))
                del self._buffer[: self._position]
                self._position, self._missing = 0, 1
        return frames

    def _take_value(self) -> bool:
        """Skip one value (of an aggregate: its header); return False if it is not complete."""
        end = self._buffer.find(b"\r\n", self._position)
        if end < 0:
            return False
        kind = bytes(self._buffer[self._position : self._position + 1])
        end += 2
        if kind in _PAYLOAD:
            length = int(self._buffer[self._position + 1 : end])
            if length >= 0:
                end += length + 2
            if end > len(self._buffer):
                return False
            self._missing -= 1
        elif kind in _AGGREGATE:
            count = max(0, int(self._buffer[self._position + 1 : end]))  # -1 is a null
            # Attributes precede the value that they describe, and do not count as a value.
            self._missing += count * _AGGREGATE[kind] - (kind != b"|")
        else:
            self._missing -= 1
        self._position = end
        return True


def is_published(frame: bytes) -> bool:
    """Whether the frame is a message of a subscription (not a confirmation, not a reply)."""
    header, _, rest = frame.partition(b"\r\n")
    name = rest.split(b"\r\n", 2)[1:2]
    return header in (b"*3", b">3", b"*4", b">4") and name in (
        [b"message"],
        [b"pmessage"],
        [b"smessage"],
    )
