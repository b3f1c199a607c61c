"""Which codecs of which releases `record_migration_vectors` runs, and with which libraries.

The rule: a library is of the version that the release's project file names.
"""

__all__ = [
    "FST",
    "LZ4",
    "NEW_LZ4",
    "OBJECT_RUNS",
    "RIVER",
    "SNAPPY",
    "TEXT_RUNS",
    "ZSTD",
    "Run",
]

Run = tuple[str, str, tuple[tuple[str, str, str], ...]]
RIVER = tuple(
    ("org.jboss.marshalling", f"jboss-marshalling{part}", "2.0.11.Final") for part in ("", "-river")
)
FST = (("de.ruedigermoeller", "fst", "2.57"),)
KRYO4 = (("com.esotericsoftware", "kryo", "4.0.2"),)
# Codec, release, and what it needs beside Redisson, as the release's project file names it.
OBJECT_RUNS = (
    ("SerializationCodec", "4.7.0", ()),
    ("SerializationCodec", "3.27.2", ()),
    ("MarshallingCodec", "4.0.0", RIVER),
    ("MarshallingCodec", "3.18.1", ()),
    ("MarshallingCodec", "3.13.6", ()),
    ("FstCodec", "4.0.0", FST),
    ("FstCodec", "3.12.5", ()),
    ("FstCodec", "3.10.7", ()),
    ("KryoCodec", "3.11.4", KRYO4),
    ("KryoCodec", "3.10.7", KRYO4),
)
LZ4 = (("org.lz4", "lz4-java", "1.8.0"), ("org.apache.commons", "commons-compress", "1.21"))
NEW_LZ4 = (
    ("at.yawk.lz4", "lz4-java", "1.11.1"),
    ("org.apache.commons", "commons-compress", "1.26.1"),
)
SNAPPY = (("org.xerial.snappy", "snappy-java", "1.1.10.5"),)
ZSTD = (("com.github.luben", "zstd-jni", "1.5.6-3"),)
KRYO = (("com.esotericsoftware", "kryo", "5.0.0-RC4"),)
OLD_LZ4 = (("net.jpountz.lz4", "lz4", "1.3.0"),)
TEXT_RUNS = (
    ("LZ4Codec", "4.7.0", NEW_LZ4),
    ("LZ4Codec", "3.12.5", (*KRYO, *OLD_LZ4)),
    ("LZ4Codec", "3.5.5", OLD_LZ4),
    ("LZ4Codec", "3.5.1", OLD_LZ4),
    ("LZ4CodecV2", "4.7.0", NEW_LZ4),
    ("LZ4CodecV2", "3.24.3", LZ4),
    ("SnappyCodec", "3.27.2", ()),
    ("SnappyCodec", "3.12.5", KRYO),
    ("SnappyCodec", "3.5.5", ()),
    ("SnappyCodec", "3.5.1", SNAPPY),
    ("SnappyCodecV2", "4.7.0", SNAPPY),
    ("SnappyCodecV2", "3.12.5", (*KRYO, *SNAPPY)),
    ("ZStdCodec", "4.7.0", ZSTD),
    ("ZStdCodec", "3.52.0", ZSTD),
)
