"""Results kept by the objects that they follow from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Memo"]

T = TypeVar("T")


class Memo(Generic[T]):
    """Results by the identity of their owners: of arrays and mappings, which have no hash.

    An entry holds its owners, so as long as the memo lives no other object can take the identity of one of them.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[Hashable, ...], tuple[tuple[object, ...], T]] = {}

    def once(self, make: Callable[[], T], *owners: object, key: Hashable = None) -> T:
        """Return the result for some owners and a key; make it if there is none yet.

        Args:
            make: makes the result, which may follow from the owners and the key alone.
            owners: objects, compared by identity and not changed while the memo lives.
            key: what else the result follows from, compared by equality.
        """
        identity = (key, *map(id, owners))
        entry = self._entries.get(identity)
        if entry is None:
            entry = self._entries[identity] = owners, make()
        return entry[1]
