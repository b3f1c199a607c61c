"""The JDK's exceptions without fields of their own, as `ObjectStreamClass` describes them.

The codecs can only read an exception class that is not in this table, because it or a superclass
has fields of its own or a mandatory cause. They can only read abstract classes, too. Source: the
classes of OpenJDK 17, which fix their serialVersionUIDs.
"""

from __future__ import annotations

from pyredisson.java.throwables import THROWABLES

from .descriptions import Description

__all__ = ["ABSTRACT", "STACK_ELEMENT", "THROWABLE", "THROWN"]

THROWABLE = Description(
    "java.lang.Throwable",
    0xD5C635273977B8CB,
    3,
    (
        ("L", "cause", "Ljava/lang/Throwable;"),
        ("L", "detailMessage", "Ljava/lang/String;"),
        ("[", "stackTrace", "[Ljava/lang/StackTraceElement;"),
        ("L", "suppressedExceptions", "Ljava/util/List;"),
    ),
)
_TEXTS = ("classLoaderName", "declaringClass", "fileName", "methodName", "moduleName")
STACK_ELEMENT = Description(
    "java.lang.StackTraceElement",
    0x6109C59A2636DD85,
    2,
    (
        ("B", "format", ""),
        ("I", "lineNumber", ""),
        *(("L", name, "Ljava/lang/String;") for name in (*_TEXTS, "moduleVersion")),
    ),
)
# Each after its superclass.
_UIDS = """
    lang.Exception d0fd1f3e1a3b1cc4
    lang.Error 451d36568b820e56
    lang.AssertionError ba6d2eabfd413de6
    lang.LinkageError 31ad4b5534a84aba
    lang.VirtualMachineError 39c25654802f0e1e
    io.IOError 00ee63f0410b0d9d
    lang.NoClassDefFoundError 7e3afc5a8df49c6a
    lang.IncompatibleClassChangeError bbca7fd1f19fc839
    lang.NoSuchFieldError d0084b0cbf460075
    lang.NoSuchMethodError cbbe2e32e1403799
    lang.InternalError 823b334dc00ac203
    lang.OutOfMemoryError 7231bb708888e315
    lang.StackOverflowError 7779ef15877b2377
    lang.RuntimeException 9e5f06470a3483e5
    lang.CloneNotSupportedException 481a29f4778b29fb
    lang.InterruptedException 5cfda8c301deb7f9
    lang.ReflectiveOperationException 00000000075bcd15
    io.IOException 6c8073646525f0ab
    util.concurrent.BrokenBarrierException 62c610b23d3ca0e4
    util.concurrent.ExecutionException 6caab173bfb4e069
    util.concurrent.TimeoutException 1a6172bddbe4f56a
    lang.IllegalAccessException 5bd42871f9297b32
    lang.InstantiationException 8ad83e274dd5858a
    lang.NoSuchFieldException aabd23ef75fb292c
    lang.NoSuchMethodException 45ddbd9e5ec605db
    lang.ArithmeticException 1f509e624af9f007
    lang.ArrayStoreException c13df09dbf50bedf
    lang.ClassCastException 800005cece67e55c
    lang.IllegalArgumentException b58973d37d668fbc
    lang.IllegalMonitorStateException 33885078182ced4d
    lang.IllegalStateException e65755e69a46f248
    lang.IndexOutOfBoundsException 033fc59fdab42b27
    lang.NegativeArraySizeException 83a7441933c37c8b
    lang.NullPointerException 47a5a18eff31e1b8
    lang.SecurityException 5f74dc826f65d637
    lang.UnsupportedOperationException eec165e712838b7f
    time.DateTimeException e9587bd1cea8b031
    util.ConcurrentModificationException cd1d156276c777bd
    util.EmptyStackException 46906f52485c554f
    util.NoSuchElementException 5df343d5da693aa8
    util.concurrent.CompletionException 6caab173bfb4e069
    util.concurrent.RejectedExecutionException fac8deb45600b697
    lang.NumberFormatException d876893ffb8cea12
    util.IllegalFormatException 00000000011f55ea
    util.concurrent.CancellationException 804b5067c84f2819
    lang.ArrayIndexOutOfBoundsException b8fff521577ea444
    lang.StringIndexOutOfBoundsException a22550cd6f6344f6
    time.temporal.UnsupportedTemporalTypeException aa8732805248134a
    util.InputMismatchException 7a47c7b1773996bc
    io.EOFException 5949a7f76b53ec41
    io.FileNotFoundException f38a2bd6e0216ae4
    io.ObjectStreamException 64c3e46b8d39fbdf
    io.UnsupportedEncodingException c4aeb85a4e6628a2
    net.MalformedURLException fd769bb78dded186
    net.ProtocolException ab5df48b1d313490
    net.SocketException ad9f89c5411f5e6a
    net.UnknownHostException bf9e8369b89dd775
    io.InvalidObjectException 2cde8ae9921ad3df
    io.NotSerializableException 28567800e7861635
    io.StreamCorruptedException 7cac02968639f3c2
    net.BindException ad7f18c073b53339
    net.ConnectException 352be1e2a8f72fbf
    net.NoRouteToHostException e5aa8b83c7d73ee2
"""


def _described() -> dict[str, Description]:
    found = {THROWABLE.name: THROWABLE}
    for line in _UIDS.split("\n")[1:-1]:
        name, uid = line.split()
        full = f"java.{name}"
        found[full] = Description(full, int(uid, 16), parent=found[THROWABLES[full]])
    return found


THROWN: dict[str, Description] = _described()
ABSTRACT = {"java.lang.VirtualMachineError", "java.io.ObjectStreamException"}
