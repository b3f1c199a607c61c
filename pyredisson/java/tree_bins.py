"""A `HashMap` with many keys in one bucket: its table grows early, then buckets become trees.

A tree's entries are also a list, and iteration follows that list: a new entry comes after its
parent in the tree, and the root moves to the front. So the order depends on the red-black trees as
Java builds them. Source: `HashMap` of OpenJDK 8 to 21 (`treeifyBin`, `TreeNode.putTreeVal`,
`treeify`, `split`, `balanceInsertion`, `moveRootToFront`).

The module repeats Java's steps, entry by entry, with one difference. For keys with equal hash codes
that have no natural order, or not the same class, Java compares identities, which differ in each
run. Here the earlier key is the greater one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

__all__ = ["CROWDED", "bins_order"]

CROWDED = 9  # with this many entries in one bucket, Java grows the table or makes a tree
_LEAST_TREES = 64  # the minimum size of a table with trees
_UNTREE = 6  # a tree of at most this size becomes a list again when the table grows


class _Node:
    """An entry: its index among the keys, its hash and key as Java compares them, its links."""

    __slots__ = (
        "kind",
        "left",
        "next",
        "order",
        "parent",
        "place",
        "prev",
        "red",
        "right",
        "spread",
    )

    def __init__(self, place: int, key: Any, spread: int) -> None:
        self.place = place
        self.kind = type(key)
        self.order = _ordered(key)  # computed once, because a tree compares it many times
        self.spread = spread - (1 << 32) if spread >> 31 else spread
        self.next: Any = None
        self.prev: Any = None
        self.parent: Any = None
        self.left: Any = None
        self.right: Any = None
        self.red = False


def _ordered(key: Any) -> Any:
    """Return a key that sorts like `compareTo` within one class; None if that is unknown."""
    if isinstance(key, str):
        return key.encode("utf-16-be", "surrogatepass")
    if isinstance(key, UUID):
        high, low = key.int >> 64, key.int & (1 << 64) - 1
        return [each - (1 << 64) if each >> 63 else each for each in (high, low)]
    return key if isinstance(key, (int, float, Decimal, datetime)) else None


def _left(key: _Node, other: _Node) -> bool:
    """Return whether a key belongs to the left of another."""
    if key.spread != other.spread:
        return key.spread < other.spread
    return key.kind is not other.kind or key.order is None or not key.order > other.order


class _Bin:
    """One bucket: a list of nodes from `first` on; if `tree`, they are also a tree."""

    __slots__ = ("count", "first", "last", "tree")

    def __init__(self) -> None:
        self.first: Any = None
        self.last: Any = None
        self.count = 0
        self.tree = False

    def nodes(self) -> list[_Node]:
        """Return the entries in the order of iteration."""
        found, node = [], self.first
        while node is not None:
            found.append(node)
            node = node.next
        return found

    def append(self, node: _Node) -> None:
        """Append an entry to the list."""
        node.next, node.prev = None, self.last
        if self.last is None:
            self.first = node
        else:
            self.last.next = node
        self.last = node
        self.count += 1

    def treeify(self) -> None:
        """Convert the list to a tree."""
        nodes = self.nodes()
        for node in nodes:
            node.parent = node.left = node.right = None
            node.red = False
        root = nodes[0]
        for node in nodes[1:]:
            _attach(root, node)
            root = _balance(root, node)
        self.tree = True
        self._to_front(root)

    def put(self, node: _Node) -> None:
        """Insert an entry into the tree, and into the list after its parent."""
        root = self.first
        parent = _attach(root, node)
        following = parent.next
        parent.next, node.prev, node.next = node, parent, following
        if following is None:
            self.last = node
        else:
            following.prev = node
        self.count += 1
        self._to_front(_balance(root, node))

    def _to_front(self, root: _Node) -> None:
        if root is self.first:
            return
        before, after = root.prev, root.next
        before.next = after
        if after is None:
            self.last = before
        else:
            after.prev = before
        root.prev, root.next, self.first.prev = None, self.first, root
        self.first = root


def _attach(root: _Node, node: _Node) -> _Node:
    """Attach a node to its parent, and return the parent."""
    parent, left = root, False
    below: Any = root
    while below is not None:
        parent, left = below, _left(node, below)
        below = parent.left if left else parent.right
    node.parent = parent
    if left:
        parent.left = node
    else:
        parent.right = node
    return parent


def _rotate(root: _Node, node: _Node, *, left: bool) -> _Node:
    """Rotate at a node, to the left or to the right; return the root."""
    up: _Node = node.right if left else node.left
    inner = up.left if left else up.right
    if left:
        node.right, up.left = inner, node
    else:
        node.left, up.right = inner, node
    if inner is not None:
        inner.parent = node
    above = up.parent = node.parent
    node.parent = up
    if above is None:
        up.red = False
        return up
    if above.left is node:
        above.left = up
    else:
        above.right = up
    return root


def _balance(root: _Node, node: _Node) -> _Node:
    """Recolor and rotate after an insertion; return the root."""
    node.red = True
    while True:
        parent = node.parent
        if parent is None:
            node.red = False
            return node
        above = parent.parent
        if not parent.red or above is None:
            return root
        on_left = parent is above.left
        uncle = above.right if on_left else above.left
        if uncle is not None and uncle.red:
            uncle.red = parent.red = False
            above.red = True
            node = above
            continue
        if node is (parent.right if on_left else parent.left):
            node = parent
            root = _rotate(root, node, left=on_left)
            parent = node.parent
        parent.red = False
        above.red = True
        root = _rotate(root, above, left=not on_left)


def _grown(bins: list[_Bin]) -> list[_Bin]:
    """Return the buckets of a table twice as large."""
    size = len(bins)
    grown = [_Bin() for _ in range(2 * size)]
    for number, each in enumerate(bins):
        parts = grown[number], grown[number + size]
        for node in each.nodes():
            parts[bool(node.spread & size)].append(node)
        if not each.tree:
            continue
        if each.count in {parts[0].count, parts[1].count} and each.count > _UNTREE:
            (parts[0] if parts[0].count else parts[1]).tree = True  # the same tree
            continue
        for part in parts:
            if part.count > _UNTREE:
                part.treeify()
    return grown


def bins_order(keys: Sequence[Any], spreads: Sequence[int]) -> tuple[list[int], int]:
    """Return the indexes of the keys in the order of iteration, and the table's size."""
    bins = [_Bin() for _ in range(16)]
    for place, (key, spread) in enumerate(zip(keys, spreads, strict=True)):
        node, found = _Node(place, key, spread), bins[spread & len(bins) - 1]
        if found.tree:
            found.put(node)
        else:
            found.append(node)
            if found.count >= CROWDED:
                if len(bins) < _LEAST_TREES:
                    bins = _grown(bins)
                else:
                    found.treeify()
        if place + 1 > len(bins) // 4 * 3:
            bins = _grown(bins)
    return [node.place for each in bins for node in each.nodes()], len(bins)
