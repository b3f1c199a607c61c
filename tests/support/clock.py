"""A clock of a single process, a server or a JVM, that a test can set back or forward.

The process loads a small C library when it starts, which adds an offset to the kernel's time. Rule:
only the time of day changes; timers continue, as at a real step of the clock.
"""

import shutil
import struct
import subprocess
from pathlib import Path

from tests.support.server import RedisServer
from tests.support.services import unavailable

_SOURCE = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const long long *ahead;  /* microseconds, in a file that the test writes */

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("PYREDISSON_CLOCK");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) return;
    void *at = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    if (at != MAP_FAILED) ahead = at;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    long result = syscall(SYS_clock_gettime, clock, out);
    if (result == 0 && ahead && clock == CLOCK_REALTIME) {
        long long nanos = out->tv_nsec + (*ahead % 1000000) * 1000 + 1000000000;
        out->tv_sec += *ahead / 1000000 + nanos / 1000000000 - 1;
        out->tv_nsec = nanos % 1000000000;
    }
    return (int) result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void) zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
"""


class Clock:
    """The clock of processes with this environment; ``step()`` sets its offset to the machine's."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.environment = {
            "LD_PRELOAD": str(_library(folder)),
            "PYREDISSON_CLOCK": str(self._file),
        }
        self.step(0)

    def step(self, seconds: float) -> None:
        """Set the clock this many seconds ahead of the machine's, or behind it."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("q", int(seconds * 1_000_000)))


class SteppedServer(RedisServer):
    """A server with its own clock; ``step()`` sets the offset to the machine's clock."""

    def __init__(self, *arguments: str, aof: bool = False) -> None:
        super().__init__(*arguments, aof=aof)
        clock = Clock(self.directory)
        self.environment, self.step = clock.environment, clock.step


def has_compiler() -> bool:
    """Return whether this machine has the compiler that `Clock` needs."""
    return shutil.which("cc") is not None


def _library(folder: Path) -> Path:
    if not has_compiler():
        unavailable("no C compiler, with which a server gets a clock of its own")
    source, library = folder / "clock.c", folder / "clock.so"
    source.write_text(_SOURCE)
    command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return library
