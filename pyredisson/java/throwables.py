"""The JDK's common exceptions and their superclasses.

A codec rejects exceptions that this table does not contain. Source: `java.base` and `java.sql` of
JDK 17.
"""

from __future__ import annotations

__all__ = ["THROWABLES"]

_SUBCLASSES = {
    "lang.Throwable": "lang.Exception lang.Error",
    "lang.Error": "lang.AssertionError lang.LinkageError lang.VirtualMachineError io.IOError",
    "lang.LinkageError": "lang.ExceptionInInitializerError lang.NoClassDefFoundError "
    "lang.IncompatibleClassChangeError",
    "lang.IncompatibleClassChangeError": "lang.NoSuchFieldError lang.NoSuchMethodError",
    "lang.VirtualMachineError": "lang.InternalError lang.OutOfMemoryError lang.StackOverflowError",
    "lang.Exception": "lang.RuntimeException lang.CloneNotSupportedException "
    "lang.InterruptedException lang.ReflectiveOperationException io.IOException "
    "net.URISyntaxException sql.SQLException util.concurrent.BrokenBarrierException "
    "util.concurrent.ExecutionException util.concurrent.TimeoutException",
    "lang.ReflectiveOperationException": "lang.ClassNotFoundException "
    "lang.IllegalAccessException lang.InstantiationException lang.NoSuchFieldException "
    "lang.NoSuchMethodException lang.reflect.InvocationTargetException",
    "lang.RuntimeException": "lang.ArithmeticException lang.ArrayStoreException "
    "lang.ClassCastException lang.IllegalArgumentException lang.IllegalMonitorStateException "
    "lang.IllegalStateException lang.IndexOutOfBoundsException "
    "lang.NegativeArraySizeException lang.NullPointerException lang.SecurityException "
    "lang.UnsupportedOperationException lang.reflect.UndeclaredThrowableException "
    "io.UncheckedIOException time.DateTimeException util.ConcurrentModificationException "
    "util.EmptyStackException util.MissingResourceException util.NoSuchElementException "
    "util.concurrent.CompletionException util.concurrent.RejectedExecutionException",
    "lang.IllegalArgumentException": "lang.NumberFormatException util.IllegalFormatException "
    "util.regex.PatternSyntaxException",
    "lang.IllegalStateException": "util.concurrent.CancellationException",
    "lang.IndexOutOfBoundsException": "lang.ArrayIndexOutOfBoundsException "
    "lang.StringIndexOutOfBoundsException",
    "time.DateTimeException": "time.format.DateTimeParseException "
    "time.temporal.UnsupportedTemporalTypeException",
    "util.NoSuchElementException": "util.InputMismatchException",
    "io.IOException": "io.EOFException io.FileNotFoundException io.InterruptedIOException "
    "io.ObjectStreamException io.UnsupportedEncodingException net.MalformedURLException "
    "net.ProtocolException net.SocketException net.UnknownHostException",
    "io.InterruptedIOException": "net.SocketTimeoutException",
    "io.ObjectStreamException": "io.InvalidClassException io.InvalidObjectException "
    "io.NotSerializableException io.StreamCorruptedException",
    "net.SocketException": "net.BindException net.ConnectException net.NoRouteToHostException",
    "sql.SQLException": "sql.BatchUpdateException sql.SQLNonTransientException "
    "sql.SQLRecoverableException sql.SQLTransientException sql.SQLWarning",
    "sql.SQLNonTransientException": "sql.SQLDataException sql.SQLSyntaxErrorException "
    "sql.SQLIntegrityConstraintViolationException",
    "sql.SQLTransientException": "sql.SQLTimeoutException sql.SQLTransactionRollbackException",
}

THROWABLES: dict[str, str] = {
    "java.lang.Throwable": "java.io.Serializable",
    **{
        f"java.{name}": f"java.{parent}"
        for parent, names in _SUBCLASSES.items()
        for name in names.split()
    },
}
"""Each class with its direct supertype."""
