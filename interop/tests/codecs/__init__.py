"""The codecs and the schemas of classes against those of Redisson's jars, without Redis."""
