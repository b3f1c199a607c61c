"""The TCP connections of this process, as /proc lists them."""

from pathlib import Path


def held_to(port: int) -> set[str]:
    """Return this process's open sockets to a port, also those that the other side has closed."""
    mine = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            target = str(entry.readlink())
        except OSError:  # the one that reads the directory
            continue
        if target.startswith("socket:["):
            mine.add(target[8:-1])
    found = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, _, remote, _, _, _, _, _, _, inode, *_ = line.split()
        if int(remote.partition(":")[2], 16) == port and inode in mine:
            found.add(inode)
    return found
