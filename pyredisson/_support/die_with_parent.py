"""Becomes the program named on its command line, as a process that never outlives our own.

Run as a script, ``python die_with_parent.py PARENT_PID PROGRAM ARGUMENT...``; imported only for its
path. It replaces itself by the program, so the process id stays. On Linux the kernel kills the
child when its parent ends, however that ends; elsewhere a process beside it looks five times a
second.

The kernel's "parent" is the thread that started us: start servers in a thread that lives on.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Ask the kernel for SIGKILL at the parent's end; Linux only."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we asked
        sys.exit(1)


def watch(parent: int) -> None:
    """Leave a process behind that kills this one when ``parent`` has ended."""
    watched = os.getpid()
    if os.fork() != 0:
        return
    os.setsid()
    while os.getppid() == watched:
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os.kill(watched, signal.SIGKILL)
            break
        time.sleep(0.2)
    os._exit(0)


if __name__ == "__main__":
    owner, program = int(sys.argv[1]), sys.argv[2:]
    (die_with_parent if sys.platform == "linux" else watch)(owner)
    os.execv(program[0], program)
