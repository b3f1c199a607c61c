"""Executes the program named on its command line, in a process that ends when its parent ends.

Run it as a script: ``python die_with_parent.py PARENT_PID PROGRAM ARGUMENT...``. Import it only for
its path. It replaces itself by the program, so the process ID stays the same. On Linux the kernel
kills the child as soon as its parent ends for any reason. On other Unix systems a watcher process
checks five times a second whether the parent has ended.

For the kernel the parent is the thread that started the child. If that thread ends before its
process, the kernel kills the child then.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Make the kernel send SIGKILL when the parent ends; Linux only."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # the parent ended before the call
        sys.exit(1)


def watch(parent: int) -> None:
    """Fork a watcher process that kills this process after ``parent`` has ended."""
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
