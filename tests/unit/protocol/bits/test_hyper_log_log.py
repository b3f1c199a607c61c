"""RHyperLogLog: the words of each call, and the value of each reply."""

from pyredisson import UncertainError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.bits.hyper_log_log import HyperLogLogProtocol

H = HyperLogLogProtocol("h", StringCodec())


def test_words_and_replies() -> None:
    add = H.add(["a", "b"])
    assert (add.args, add.decode(1)) == (("PFADD", "h", b"a", b"b"), True)
    assert (H.count().args, H.count().decode(3)) == (("PFCOUNT", "h"), 3)
    assert H.count(("i",)).args == ("PFCOUNT", "h", "i")
    assert (H.merge(("i",)).args, H.merge(("i",)).decode(b"OK")) == (("PFMERGE", "h", "i"), None)
    assert (add.safe, H.count().safe, H.merge(()).safe) == (False, True, True)
    assert add.lost is not None
    assert isinstance(add.lost(OSError("gone")), UncertainError)
