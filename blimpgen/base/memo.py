"""Results kept by the objects that they follow from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

__all__ = ["Memo", "Recent"]

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


class Recent:
    """Results by kind and key: of each kind, those that were used last."""

    def __init__(self) -> None:
        self._entries: dict[str, OrderedDict[Hashable, tuple[Hashable, Any]]] = {}

    def once(self, kind: str, key: Hashable, make: Callable[[], T], *, most: int, version: Hashable = None) -> T:
        """Return the result of a key; make it if there is none, and forget what has not been used for longest.

        Args:
            kind: of the result.
            key: what the result is of.
            make: makes the result, which may follow from kind, key and version alone.
            most: how many results of this kind are kept.
            version: of what the key names; a result of another version is replaced.
        """
        entries = self._entries.setdefault(kind, OrderedDict())
        if key not in entries or entries[key][0] != version:
            entries[key] = version, make()
        entries.move_to_end(key)
        while len(entries) > most:
            entries.popitem(last=False)
        result: T = entries[key][1]
        return result
